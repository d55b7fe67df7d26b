from ..linear import Scale
from .calm import settle
