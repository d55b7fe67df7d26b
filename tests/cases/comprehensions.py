import torch

a = [torch.sin(x) for x in torch.ones(3)]
b = {i: torch.full((i,), 2.0) for i in range(3) if i}
c = {torch.ones(1).sum().item() for _ in range(2)}
d = sum(torch.cos(x).sum() for x in a)
e = [[torch.add(x, y) for x in a] for y in a]
f = list(torch.neg(x) for x in a)
