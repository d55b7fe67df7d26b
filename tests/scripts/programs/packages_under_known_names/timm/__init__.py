from timm.layers import DropPath

__version__ = "0.0"
