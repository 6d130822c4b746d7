"""Render rejected recordings, with events that the model cannot explain, as a page with pictures.

This is the page of ``rebalance conform --cluster --report``.
"""
