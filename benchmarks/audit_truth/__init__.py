"""Audits of groups of which it is known what really happened, by recorded events or because they were played.

What was so is told without the audit's code, but for unions and intersections of times.
"""
