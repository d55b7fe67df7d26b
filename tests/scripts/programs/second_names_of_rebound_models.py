# flagged: T2J303
"""A second name for a model whose own name gets another model behind it: what trains the second model leaves the first."""

import torch
import torch.nn as nn

x = torch.arange(12.0).view(3, 4) / 12


def main(flag):
    model = nn.Linear(4, 2)
    bare = model
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i in range(3):
        loss = (model(x) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if flag:
            model = nn.Linear(4, 2)
    print(bare(x).sum().item())


main(True)
