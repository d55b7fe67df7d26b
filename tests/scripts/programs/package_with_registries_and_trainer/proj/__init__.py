from .registry import MODELS, build
