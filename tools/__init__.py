"""What is run by hand, or by `make docs`: it makes committed files."""
