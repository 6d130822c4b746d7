"""Reports about a declared machine's runs, in the words of its declaration."""
