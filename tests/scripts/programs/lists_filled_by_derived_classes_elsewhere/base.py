import torch


class Base:
    def __init__(self):
        self.parts = []
        self.names = []
        self.nets = []

    def total(self):
        out = 0.0
        for part in self.parts:
            out = out + part.pow(2).sum().item()
        return out

    def stacked(self):
        return torch.stack(self.parts).mean(0) if self.parts else None

    def named(self):
        return {name: float(getattr(self, "loss_" + name)) for name in self.names}

    def outputs(self, x):
        return [net(x).sum().item() for net in self.nets]

    def count(self):
        return sum(p.numel() for net in self.nets for p in net.parameters())
