"""Claims about clients in which strategies of one name are different functions."""
