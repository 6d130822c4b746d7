"""Parse what ``mqadmin`` of 4.9 and 5 prints about a group, and find signs of problems in it."""
