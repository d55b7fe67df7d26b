from .linear import Scale
