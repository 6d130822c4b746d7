"""Render rejected recordings as a page with pictures: ``rebalance conform --cluster --report``."""
