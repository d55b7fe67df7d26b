from .registry import create_model
from . import vit
