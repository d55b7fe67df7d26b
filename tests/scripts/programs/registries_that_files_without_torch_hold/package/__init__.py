from .config import MODELS
from .utils import fill, data, register
from .models import Small, Deep
