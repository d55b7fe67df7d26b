import torch
import torch.nn as nn
from settings import *

model = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2), nn.Dropout(0.5))
print(model(torch.ones(3, 2) * scale).shape[0], key, state, params)
