"""Support code that translated programs copy: plain JAX that reproduces torch where no native function does."""
