from .extra import *
from .normed import *
from .plain import *
