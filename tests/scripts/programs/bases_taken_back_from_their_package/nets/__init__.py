"""The networks of the program: modules of the package import the base from the package itself."""

from .base import *
from .plain import *
from .counted import *
from .scaled import ScaledNet

NETS = {"plain": PlainNet, "counted": CountedNet, "scaled": ScaledNet}
