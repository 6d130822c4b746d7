"""The findings page of the documentation: what was found, told for users, each with its smallest example drawn."""
