# also: nnx
"""Which parameters are trained, said by variables, by methods that run in and behind `__init__`, and in loops over some parts."""
import torch
import torch.nn as nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 3), nn.Tanh())
        self.heads = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])
        self.fine_tune()

    def forward(self, x):
        x = self.net(x)
        for head in self.heads:
            x = head(x)
        return x

    def fine_tune(self, fine_tune=True):
        for p in self.net.parameters():
            p.requires_grad = False
        for c in list(self.net.children())[1:]:
            for p in c.parameters():
                p.requires_grad = fine_tune


def filled(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-1, 1, p.numel()).view_as(p))
    return model


def train(model):
    optimizer = torch.optim.SGD(filter(lambda p: p.requires_grad, model.parameters()), lr=0.1, momentum=0.5)
    for _ in range(2):
        loss = model(torch.ones(2, 4)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print("%.5f" % loss.item())
    print([round(p.sum().item(), 4) for p in model.parameters()])
    print(sum(p.numel() for p in model.parameters() if p.requires_grad))


encoder = filled(Encoder())
train(encoder)
for flag in (False, True):
    encoder = filled(Encoder())
    encoder.fine_tune(flag)
    train(encoder)

encoder = filled(Encoder())
for p in encoder.parameters():
    p.requires_grad = False
for block in list(encoder.heads)[-1:]:
    for p in block.parameters():
        p.requires_grad_(True)
train(encoder)

encoder = filled(Encoder())
for module in [encoder.net, encoder.heads[0]]:
    for p in module.parameters():
        p.requires_grad = False
layers = (encoder.heads[0], encoder.heads[-1])
for layer in layers:
    layer.requires_grad_(False)
train(encoder)

tuned = bool(sum(p.numel() for p in encoder.heads.parameters()) > 100)
encoder = filled(Encoder())
encoder.net.requires_grad_(tuned)
train(encoder)
