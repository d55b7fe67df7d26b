# also: nnx, linen
"""The modes of parts that train themselves are set in another file, for the lists and dicts that hold them."""

import torch
from models import Greedy, Named

x = torch.cos(torch.arange(32.0)).reshape(4, 8)
y = torch.tensor([0, 1, 2, 1])


def test(net):
    net.eval()
    with torch.no_grad():
        print(round(net(x).sum().item(), 4), net.blocks[1].training)


net = Greedy(8, 2)
for epoch in range(3):
    net.train()
    print(net.fit(x, y))
    test(net)
named = Named(8)
for epoch in range(2):
    named.train()
    print(named.fit(x, y))
    named.eval()
    print([round(block(x).sum().item(), 4) for block in named.blocks.values()])
