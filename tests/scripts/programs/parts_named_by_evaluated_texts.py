# also: nnx, linen
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.n = n
        for i in range(n):
            setattr(self, 'fc%d' % i, nn.Linear(2, 2))
        self.act = nn.Tanh()
        for p in self.parameters():
            nn.init.constant_(p, 0.5)

    def forward(self, x):
        for i in range(self.n):
            x = eval('self.fc%d' % i)(x)
            x = eval('self.act')(x)
        return x


class Net2(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(2, 2)
        self.fc2 = nn.Linear(2, 2)
        for p in self.parameters():
            nn.init.constant_(p, 0.5)

    def forward(self, x):
        for i in range(1, 3):
            layer = eval('self.fc' + str(i))
            x = layer(x)
        return x


class Net3(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(2, 2)
        self.fc2 = nn.Linear(2, 2)
        for p in self.parameters():
            nn.init.constant_(p, 0.5)

    def forward(self, x):
        return eval('self.fc1(x)') + eval('self.fc2')(x)


x = torch.arange(6.0).view(3, 2)
print(Net(2)(x).tolist())
print(Net2()(x).tolist())
print(Net3()(x).tolist())
