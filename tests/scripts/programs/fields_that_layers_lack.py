"""Fields of layers that no class of Equinox has under the same name, or has in another form."""

from torch import nn

norm = nn.BatchNorm1d(3)
conv = nn.Conv2d(3, 4, 3, padding=1)
print(norm.num_features, conv.padding)
