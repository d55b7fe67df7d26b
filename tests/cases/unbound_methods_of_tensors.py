import torch

x = torch.arange(6.0).reshape(2, 3)
print(list(map(torch.Tensor.dim, [x, x[0]])))  # T2J200
print(torch.Tensor.int(x))  # T2J200
