import torch
from math import *

x = torch.ones(3) * sqrt(2)
