# also: nnx, linen
import numpy as np
import torch
import torch.nn as nn


def fill(model):
    with torch.no_grad():
        for n, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) + n).reshape(p.shape) * 0.3)


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.fc = nn.Linear(dim, dim)

    def init_weights(self, scale=0.5):
        nn.init.constant_(self.norm.weight, scale)
        nn.init.constant_(self.fc.weight, 0.02)
        nn.init.zeros_(self.fc.bias)

    def reset_parameters(self):
        nn.init.ones_(self.norm.bias)

    def forward(self, x):
        return x + self.fc(self.norm(x))


class Net(nn.Module):
    def __init__(self, dim, depth):
        super().__init__()
        weights = torch.linspace(-1.0, 2.0, dim)
        weights.clamp_(max=1.0)
        self.register_buffer("weights", weights)
        self.pos = nn.Parameter(torch.zeros(1, 3, dim), requires_grad=False)
        self.blocks = nn.ModuleList([Block(dim) for _ in range(depth)])
        self.last = Block(dim)
        self.conv = nn.Conv1d(3, 3, 1)
        for block in self.blocks:
            block.init_weights()
        self.last.reset_parameters()
        self.start()
        self.apply(self.init_weight)

    def start(self):
        table = np.arange(12.0).reshape(3, 4) / 12
        self.pos.data.copy_(torch.from_numpy(table).float().unsqueeze(0))

    @staticmethod
    def init_weight(m):
        if isinstance(m, nn.Conv1d):
            nn.init.constant_(m.weight, 0.25)
            if m.bias is not None:
                nn.init.constant_(m.bias, 0.125)

    def forward(self, x):
        x = x * self.weights + self.pos
        for block in self.blocks:
            x = block(x)
        return self.conv(self.last(x))


torch.manual_seed(0)
net = Net(4, 2)
print(net.blocks[1].fc.weight.sum().item(), net.blocks[0].norm.weight.sum().item(), net.last.norm.bias.sum().item())
print(net.pos.sum().item(), net.conv.weight.sum().item(), net.conv.bias.sum().item(), net.weights.sum().item())
fill(net)
x = torch.arange(24.0).reshape(2, 3, 4) / 24
optimizer = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)
for _ in range(3):
    loss = (net(x) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
