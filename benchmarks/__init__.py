"""What the project costs: measured, written down with the machine, never asserted by a test."""
