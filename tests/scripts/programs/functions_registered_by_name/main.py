# also: nnx, linen
"""Functions that draw are noted in a table by decorators that are given a name, and called from there."""

import torch
import few_shot
from factory import get_model
def main(name):
    model = get_model(name, {'x_dim': 3, 'hid_dim': 4})
    for i, p in enumerate(model.parameters()):
        p.data.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) + 0.05 * i)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    x = torch.linspace(-1, 1, 12).view(4, 3)
    for _ in range(2):
        opt.zero_grad()
        loss = model(x).pow(2).mean()
        loss.backward()
        opt.step()
        print(loss.item())
main('protonet_conv')
main('small')
