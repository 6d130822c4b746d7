"""Run the audit of logs on Spark, with the same functions as in one process."""
