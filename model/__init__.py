"""What RocketMQ clients do: concrete Python as the client computes it, and its SMT encoding beside it."""
