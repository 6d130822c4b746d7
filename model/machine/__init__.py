"""State machines that are declared once: what is proved, explored, run and shown of one comes from its declaration."""
