"""The audit of logs on Spark, with the functions that do it in one process."""
