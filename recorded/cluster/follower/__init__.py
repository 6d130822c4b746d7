"""Follower: check a recorded run with the tables that the model's pages declare (``model.machine.recorded``)."""
