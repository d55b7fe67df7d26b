# flagged: T2J604, also: nnx, linen
import torch
import torch.nn as nn


class Rotary(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("freqs", torch.arange(float(dim)) / dim)
        self.scale = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return x * torch.cos(self.freqs) * self.scale


class Attention(nn.Module):
    def __init__(self, dim, rotary, act):
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.rotary = rotary
        self.act = act

    def forward(self, x):
        return self.act(self.fc(self.rotary(x)))


class Net(nn.Module):
    def __init__(self, dim, depth):
        super().__init__()
        self.rotary = Rotary(dim)
        self.drop = nn.Dropout(0.0)
        self.relu = nn.ReLU()
        self.layers = nn.ModuleList([])
        for _ in range(depth):
            self.layers.append(Attention(dim, self.rotary, self.relu))
        self.head = nn.Sequential(nn.Linear(dim, dim), self.relu, self.drop, nn.Linear(dim, 2))

    def forward(self, x):
        for layer in self.layers:
            x = x + layer(x)
        return self.head(self.rotary(x))


net = Net(4, 2)
print(len(list(net.parameters())), sorted(net.state_dict().keys()))
with torch.no_grad():
    for n, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(float(p.numel())) + n).reshape(p.shape) * 0.3)
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
x = torch.arange(24.0).reshape(2, 3, 4) / 24
for _ in range(3):
    loss = (net(x) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item(), net.rotary.scale.sum().item(), net.layers[1].rotary.scale.sum().item())
print(net(x).sum().item(), [n for n, _ in net.named_parameters()])
