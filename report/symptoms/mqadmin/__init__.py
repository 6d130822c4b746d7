"""Output of ``mqadmin`` about a group, as printed by 4.9 and 5, and the signs in it."""
