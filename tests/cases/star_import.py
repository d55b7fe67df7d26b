from torch import *

x = zeros(3)
y = nn.functional.relu(sin(x))
