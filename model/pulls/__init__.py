"""Pull requests of one queue of one push consumer, as a machine and as code."""
