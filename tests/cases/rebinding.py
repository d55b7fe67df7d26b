import torch

torch_ok = True
torch.backends.cudnn.benchmark = True
x = torch.ones(3)
x = x.sum()
x = float(x)
