# also: nnx
import torch
import torch.nn as nn


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        return self.fc(x)


class Net(Base):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(2, 1)

    def forward(self, x):
        return self.out(super().forward(x))

    def parameters(self):
        return list(super().parameters())[:1]

    def size(self):
        return sum(p.numel() for p in super().parameters())


n = Net()
print(len(n.parameters()), n.size())
