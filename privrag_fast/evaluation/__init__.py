"""The benchmark and the evaluations: what minimizing costs, and what it saves."""
