"""Translation of terms to SMT-LIB texts that both solvers decide fast."""
