"""How wide a proof is: which values its premises leave open, beyond any bound that a search could have."""
