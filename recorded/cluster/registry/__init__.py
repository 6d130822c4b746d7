"""Membership at brokers: each look at a group's members, each list of ids and each notification is explained."""
