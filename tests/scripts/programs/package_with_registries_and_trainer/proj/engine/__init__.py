from .trainer import Trainer
from .factory import build_optimizer, build_scheduler
