"""Compare the model with a client's released package: its strategies, or a gRPC client's assignment step."""
