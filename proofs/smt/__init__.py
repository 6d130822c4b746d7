"""Translation of Z3 terms to SMT-LIB texts that both solvers decide in milliseconds."""
