# also: nnx, linen
"""An autoencoder with a method that fits it, keeps the best weights, and gives the model back."""

import copy
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class AE(nn.Module):
    """An autoencoder that trains itself."""

    def __init__(self, n_in, n_hidden, lr=0.05):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(n_in, n_hidden), nn.BatchNorm1d(n_hidden), nn.ReLU())
        self.decoder = nn.Linear(n_hidden, n_in)
        self.lr = lr
        self.history = []
        self.init()

    def init(self):
        for i, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.1 * (i + 1))
        with torch.no_grad():
            self.decoder.weight.copy_(torch.linspace(-1, 1, self.decoder.weight.numel()).view_as(self.decoder.weight))

    def encode(self, x):
        return self.encoder(x)

    def forward(self, x):
        return self.decoder(self.encode(x))

    def loss(self, x):
        return F.mse_loss(self(x), x)

    def fit(self, loader, epochs=2, verbose=True):
        opt = torch.optim.SGD(self.parameters(), lr=self.lr, momentum=0.9)
        sched = torch.optim.lr_scheduler.StepLR(opt, 1, 0.5)
        best = float("inf")
        for epoch in range(epochs):
            self.train()
            total = 0.0
            for (x,) in loader:
                opt.zero_grad()
                loss = self.loss(x)
                loss.backward()
                nn.utils.clip_grad_norm_(self.parameters(), 1.0)
                opt.step()
                total += loss.item() * x.size(0)
            sched.step()
            value = self.evaluate(loader)
            self.history.append(value)
            if value < best:
                best = value
                best_state = copy.deepcopy(self.state_dict())
            if verbose:
                print(epoch, total, value, opt.param_groups[0]["lr"])
        self.load_state_dict(best_state)
        return self

    def evaluate(self, loader):
        self.eval()
        total = 0
        with torch.no_grad():
            for (x,) in loader:
                total += self.loss(x).item() * x.size(0)
        return total

    def save(self, path):
        torch.save(self.state_dict(), path)


data = torch.linspace(-1, 1, 60).view(12, 5) ** 2
loader = DataLoader(TensorDataset(data), batch_size=4)
model = AE(5, 3)
print(sum(p.numel() for p in model.parameters()))
model.fit(loader)
print(model.history)
model.eval()
print(model(data[:2]).tolist())
print(model.encode(data[:2]).tolist())
with tempfile.TemporaryDirectory() as d:
    path = os.path.join(d, "m.pt")
    model.save(path)
    other = AE(5, 3)
    other.load_state_dict(torch.load(path))
    other.eval()
    print(other(data[:2]).tolist())


