from .small import small, tiny
from .plain import identity
