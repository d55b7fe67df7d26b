# also: nnx, linen
"""A sampler that is given a module, one of its methods, a wrapper around either and a function, of which some draw."""

import torch
from diffusion import Spaced
from net import Net

net = Net()
for p in net.parameters():
    p.data.fill_(0.2)
d = Spaced(3)


def towards(x, t, y, cfg_scale=1.0):
    return net(x * 0.5, t, y) - x


x = torch.linspace(-1, 1, 6).reshape(2, 3)
y = torch.tensor([0.1, 0.2])
opt = torch.optim.SGD(net.parameters(), lr=0.1)
net.train()
for kl in (False, True):
    opt.zero_grad()
    loss = d.losses(net, x, torch.tensor([1.0, 2.0]), dict(y=y), kl=kl)
    loss.backward()
    opt.step()
    print(loss.item())
net.eval()
print(d.loop(towards, x, model_kwargs=dict(y=y)).tolist())
print(d.loop(towards, x, model_kwargs=dict(y=y), guide=towards).tolist())
print(d.loop(net.forward_with_cfg, x, model_kwargs=dict(y=y, cfg_scale=0.5)).tolist())
