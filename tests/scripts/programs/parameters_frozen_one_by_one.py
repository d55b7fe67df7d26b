# also: nnx
"""Parameters that a constructor takes out of training, each by itself."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self, learned):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1) * 2.0)
        self.pos = nn.Parameter(torch.linspace(0, 1, 3))
        self.pos.requires_grad = False
        self.body = nn.Linear(3, 4)
        self.head = nn.Linear(4, 2)
        self.head.bias.requires_grad = False
        if not learned:
            self.scale.requires_grad = False

    def forward(self, x):
        return self.head(torch.tanh(self.body(x + self.pos))) * self.scale


def train(learned):
    model = Net(learned)
    values = {k: torch.sin(torch.arange(v.numel()) * 1.7 + 1).view(v.shape) for k, v in model.state_dict().items()}
    model.load_state_dict(values)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1, weight_decay=0.2)
    x = torch.linspace(-1, 1.7, 24).reshape(8, 3)
    y = torch.tensor([0, 1, 1, 0, 1, 0, 0, 1])
    for i in range(3):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(
            loss.item(),
            model.scale.sum().item(),
            model.pos.sum().item(),
            model.head.bias.sum().item(),
            model.head.weight.sum().item(),
        )


train(True)
train(False)
