"""Check group membership at brokers: polls of the members, lists of ids, and notifications."""
