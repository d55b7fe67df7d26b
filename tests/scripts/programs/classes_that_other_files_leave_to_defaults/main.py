# also: nnx
# Models of another file that are given classes here, and left to the classes of their own there.
import torch
from torch import nn

import package.models


def run(name, net, x):
    with torch.no_grad():
        for k, p in enumerate(net.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() + k).reshape(p.shape))
    opt = torch.optim.SGD(net.parameters(), lr=0.05)
    for _ in range(2):
        opt.zero_grad()
        loss = (net(x) ** 2).mean()
        loss.backward()
        opt.step()
        print(name, loss.item())
    print(name, sum(p.sum().item() for p in net.parameters()))


hours = torch.arange(6)
run("fixed", package.models.Times(4), hours)
run("learned", package.models.Times(4, "learned"), hours)
x = torch.arange(8.0).reshape(2, 4) / 8
for name in package.models.KINDS:
    run(name, package.models.Stack(name), x)
run("default", package.models.Given(), x)
run("own", package.models.Given(package.models.Doubled, act=nn.Tanh), x)
run("own default", package.models.GivenOwn(), x)
run("other", package.models.GivenOwn(package.models.Scaled), x)
