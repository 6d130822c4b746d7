"""Every state of the counter and its worker."""
