"""Two workers that count, with a lock and without one: a kind of claims that is there to be added."""
