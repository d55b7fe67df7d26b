# also: nnx, linen
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, a, std=0.0):
        super().__init__()
        self.std = std
        self.fc = nn.Linear(a, a)
        self.drop = nn.Dropout(0.5)
        self.out = nn.Linear(a, a)
        for m in self.modules():
            self.init_weights(m)
        for n, m in self.named_modules():
            self.sharpen(m, n)

    def init_weights(self, m):
        if type(m) == nn.Linear:
            nn.init.normal_(m.weight.data, 1.0, self.std)
            nn.init.uniform_(m.bias.data, 0.5, 0.5)

    @classmethod
    def sharpen(cls, m, name):
        if 'out' in name:
            m.weight.data.normal_(2.0, 0.0)

    def forward(self, x):
        return self.out(self.drop(self.fc(x)))


class Late(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.fc = nn.Linear(a, a)
        self.out = nn.Linear(a, a)

    def reset(self, value):
        for m in self.modules():
            self.fill(m, value)
        return self

    def again(self, value):
        for m in self.children():
            self.fill(m, value)

    def fill(self, m, value):
        if isinstance(m, nn.Linear):
            m.weight.data.fill_(value)
            m.bias.data.zero_()

    def forward(self, x):
        return self.out(self.fc(x))


x = torch.arange(6.0).view(2, 3)
torch.manual_seed(0)
net = Net(3)
net.eval()
print(net(x).tolist())
late = Late(3)
late.reset(2.0)
print(late(x).tolist())
late.again(0.5)
print(late(x).tolist())
