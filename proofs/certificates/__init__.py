"""Independent checker of cvc5's proofs: it shares no code with the project's terms or with the solvers."""
