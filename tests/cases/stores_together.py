import torch

u, v = torch.ones(2), torch.ones(2)
u[0], v[1] = 1, 2
u[0] = v[0] = 3
(a, b), c = (torch.ones(1), torch.ones(2)), torch.ones(3)
