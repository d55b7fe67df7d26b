# also: nnx, linen
# A table of classes that lies in a file without torch, and that a decorator of another file fills.
import torch

from package import MODELS
from package import fill


for name in ("small", "deep"):
    net = MODELS[name](2)
    fill(net)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(2):
        opt.zero_grad()
        loss = net(torch.ones(4, 3)).pow(2).mean()
        loss.backward()
        opt.step()
    print(name, f"{loss.item():.4f}")
