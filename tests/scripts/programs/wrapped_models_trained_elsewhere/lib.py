import torch
import torch.nn as nn


class Diffusion(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.register_buffer("betas", torch.linspace(0.1, 0.2, 4))

    def forward(self, x):
        return ((self.net(x * (1 - self.betas.sum())) - x) ** 2).mean()


def fit(model, optimizer, batches, after=None):
    for x in batches:
        model.train()
        loss = model(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if after is not None:
            after()
        print(loss.item())
