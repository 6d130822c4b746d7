"""What ``mqadmin`` prints of a group, as 4.9 and 5 print it, and what can be seen in it."""
