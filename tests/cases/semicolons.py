import torch; x = torch.ones(2)
a = 1; b = 2
y = x + 1; y[0] = 3; z = torch.add(y, 1)  # kept
