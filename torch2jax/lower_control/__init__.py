"""Decisions on values, loops over time and gradients become functions: the only JAX that is written before the plan."""
