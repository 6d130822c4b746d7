"""Claims about clients whose strategies of one name are different functions."""
