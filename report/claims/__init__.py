"""Claims in reports: names, tables, counterexamples, and conformance of recorded groups."""
