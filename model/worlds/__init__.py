"""Cases: the groups of strategies that go by more than two lists (hash values, machine rooms, names of brokers)."""
