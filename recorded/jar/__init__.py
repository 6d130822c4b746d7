"""Call the allocation strategies in a client's jar, and compare results with the model."""
