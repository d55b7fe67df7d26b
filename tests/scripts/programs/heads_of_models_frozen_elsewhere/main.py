# also: nnx, linen
# A new head on a model that another file has frozen as a whole is trained, and that alone.
import torch
from nets import Backbone, fill, prepared
from torch import nn

x = torch.linspace(-1, 1, 12).view(3, 4)
y = torch.tensor([0, 1, 0])


def fine_tune(net):
    optimizer = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.5)
    for step in range(3):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        print(step, f"{loss.item():.4f}")
    print(net.body.weight.abs().sum().item(), sum(p.numel() for p in net.parameters() if p.requires_grad))


first = Backbone(4)
first.freeze()
first.head = nn.Linear(4, 2)
fill(first)
fine_tune(first)
second = prepared(4)
second.head = nn.Linear(4, 2)
fill(second)
fine_tune(second)
