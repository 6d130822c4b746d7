"""Groups enumerated: the concrete implementation, the compiled terms and the solvers, group by group."""
