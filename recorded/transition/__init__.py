"""Recorded changes of clients' process queue tables; one module per file format."""
