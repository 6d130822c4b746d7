"""What strategies over several topics promise, by the lists that they divide."""

PER_TOPIC = {"holds": frozenset({"tilt", "attained", "lowest-first"}), "fails": frozenset({"level"})}
ONE_LIST = {"holds": frozenset({"level", "tilt", "lowest-first"}), "fails": frozenset({"attained"})}
