"""The last steps towards the output: imports, support code, and a check of the result."""
