"""Call the strategies in a user's client jar and compare them with the client's model."""
