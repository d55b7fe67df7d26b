# also: nnx
import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.conv1 = nn.Conv1d(i, o, 3, padding=1)
        self.bn1 = nn.BatchNorm1d(o)
        self.relu1 = nn.ReLU()
        self.drop = nn.Dropout(0.0)
        self.down = nn.Conv1d(i, o, 1) if i != o else None
        self.net = nn.Sequential(self.conv1, self.bn1, self.relu1, self.drop)
        self.init_weights()

    def init_weights(self):
        self.conv1.weight.data.normal_(0, 0.01)

    def forward(self, x):
        out = self.net(x)
        return out + (x if self.down is None else self.down(x))


class Other(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv1d(3, 3, 1)
        self.act = nn.Tanh()
        self.stack = nn.ModuleList([self.conv1, self.act])

    def forward(self, x):
        for layer in self.stack:
            x = layer(x)
        return x


net = nn.Sequential(Block(2, 3), Block(3, 3), Other())
print(sum(p.numel() for p in net.parameters()), [n for n, _ in net.named_parameters()])
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() + i).view(p.shape))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    loss = net(torch.arange(16.0).view(2, 2, 4)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(round(loss.item(), 2))
