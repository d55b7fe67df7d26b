from .backbones import *
from .heads import *
from .classifier import *
from .builder import build_classifier
