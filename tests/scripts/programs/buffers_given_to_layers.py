# flagged: T2J601
"""A buffer that a layer is given by what has it."""

import torch
import torch.nn as nn

torch.manual_seed(0)


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).view(p.shape) * 0.3)
    return model


x = torch.arange(12.0).reshape(4, 3) / 7

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x) * self.fc.scale


net = fill(Net())
net.fc.register_buffer("scale", torch.tensor(2.0))
print(net(x).sum().item(), list(net.state_dict()))
