# also: nnx
"""Methods that save or load the state of their module, statistics of normalization included, and say what else was saved."""

import torch
import torch.nn as nn


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.best = 10.0

    def restore(self, path):
        """Restores."""
        if not path:
            return None
        ckpt = torch.load(path)
        self.load_state_dict(ckpt["model"])
        return ckpt["epoch"], ckpt["best"]

    def load(self, path):
        ckpt = torch.load(path)
        self.load_state_dict(ckpt["model"])
        return ckpt

    def save(self, path, epoch, best=2.5):
        torch.save({"model": self.state_dict(), "epoch": epoch, "best": best}, path)


class Net(Base):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)
        self.bn = nn.BatchNorm1d(3)

    def forward(self, x):
        return self.bn(self.fc(x))


def resume(path):
    model = Net()
    epoch, best = model.restore(path)
    model.eval()
    print(epoch, best, model(torch.ones(2, 4)).sum().item())
    return model


class Runner:
    def __init__(self):
        self.net = Net()

    def run(self):
        self.start, self.best = self.net.restore("a.pt")
        self.net.restore("a.pt")
        print(self.start, self.best)
        self.net.eval()
        print(self.net(torch.ones(2, 4)).sum().item())


net = Net()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).view(p.shape) * 0.3)
net(torch.linspace(-1, 1, 8).view(2, 4))
net.save("a.pt", 3)
model = resume("a.pt")
Runner().run()
third = Net()
ckpt = third.load("a.pt")
third.eval()
print(ckpt["epoch"], third(torch.ones(2, 4)).sum().item())
