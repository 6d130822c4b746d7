"""Reconstruct queue ownership in a consumer group from client and broker logs.

An audit finds out who owned which queue when, and where logs contradict each other.
"""
