"""Pull requests of one queue of one push consumer: state machine and Python code."""
