# also: nnx
"""Parts of finished models under other names: in branches and helpers, asked for, saved and loaded, and new ones from outside."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, classes=2):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 4), nn.ReLU())
        self.classifier = nn.Linear(4, classes)

    def logits(self, features):
        if hasattr(self, "last_linear"):
            return self.last_linear(features)
        return self.classifier(features) * 2

    def forward(self, x):
        y = self.logits(self.body(x))
        if hasattr(self, "scale_head"):
            y = y * self.scale_head(y)
        return y


def modify(model):
    model.last_linear = model.classifier
    del model.classifier
    return model


def make(renamed=True, headed=False):
    torch.manual_seed(0)
    model = Net()
    if renamed:
        model = modify(model)
    if headed:
        model.scale_head = nn.Linear(2, 2)
    return model


def fill(m):
    with torch.no_grad():
        for k, p in enumerate(m.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() + k).view(p.shape))


x = torch.linspace(-1, 1, 6).view(2, 3)
for renamed, headed in ((False, False), (True, False), (True, True)):
    model = make(renamed, headed)
    fill(model)
    print(model(x).tolist(), sorted(model.state_dict()), hasattr(model, "classifier"))
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    loss = model(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(model(x).pow(2).mean().item())
other = make(True, True)
other.load_state_dict(model.state_dict())
print(other(x).tolist(), other.last_linear.weight.sum().item())
