"""BenchExec's module about Alphorn."""
