from .resnet import ResNet18, small
from .same import SameNet
