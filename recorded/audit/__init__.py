"""What logs say of a group: who had which queue when, and where the members' logs do not fit together."""
