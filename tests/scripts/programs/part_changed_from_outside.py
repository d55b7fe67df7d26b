"""A layer that is changed when it already is a part of a model: torch changes the model, JAX the layer alone."""

import torch
import torch.nn as nn

first = nn.Linear(2, 2)
model = nn.Sequential(first, nn.ReLU())
nn.init.ones_(first.weight)
nn.init.zeros_(first.bias)
print(model(torch.ones(1, 2)).tolist())
