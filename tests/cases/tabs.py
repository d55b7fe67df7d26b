import torch


def f(x: torch.Tensor):
	if x is None:
		return torch.zeros(1)
	y = torch.sin(x)
	y[0] = 1
	return y
