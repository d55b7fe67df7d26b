import torch
from base import Base


class Derived(Base):
    def __init__(self, net):
        super().__init__()
        self.parts.append(torch.arange(3.0))
        self.parts.append(torch.ones(3))
        self.names = ["a", "b"]
        self.loss_a = torch.tensor(1.5)
        self.loss_b = torch.tensor(2.5)
        self.nets.append(net)

    def first(self):
        return self.parts[0].max().item()
