"""Check group membership at brokers: who is a member, which ids are listed, who is notified."""
