# also: nnx, linen
import torch
import torch.nn as nn


def load(model):
    state = {n: torch.full_like(p, 0.25) for n, p in model.named_parameters()}
    for name, param in model.named_parameters():
        if name in state:
            param.data = state[name]


net = nn.Linear(2, 1)
load(net)
x = torch.ones(3, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(2):
    opt.zero_grad()
    loss = net(x).pow(2).mean()
    loss.backward()
    opt.step()
print(net(x).tolist())
