"""Every schedule of the two workers."""
