"""Audits of groups of which it is known what really happened, by recorded events or because they were played.

Nothing here uses code of ``recorded.audit`` to tell what was so.
"""
