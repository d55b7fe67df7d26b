import torch
from base import Base


class Derived(Base):
    def __init__(self, net):
        super().__init__()
        self.nets = [net]
        self.scale = torch.full((3,), 2.0)


