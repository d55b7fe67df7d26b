import torch

key = "settings"
state = "from settings"
params = [1, 2]
scale = torch.tensor(2.0)
