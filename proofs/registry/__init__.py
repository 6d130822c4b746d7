"""Claims about a broker's registry: whom it lists and notifies, and when; and about the age of a client's route."""
