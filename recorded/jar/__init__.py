"""Call the allocation strategies in a user's client jar, and compare their results with the model's."""
