"""Certificates of claims: cvc5's proofs of the obligations' texts, checked by ``proofs.certificates``."""
