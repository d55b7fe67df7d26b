# also: nnx
import torch
import torch.nn as nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, d_in, d_out, lr=0.05):
        super().__init__()
        self.linear = nn.Linear(d_in, d_out)
        self.norm = nn.LayerNorm(d_out)
        self.drop = nn.Dropout(0.0)
        self.head = nn.Linear(d_out, 3)
        with torch.no_grad():
            for i, p in enumerate(self.parameters()):
                p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).reshape(p.shape) * 0.3)
        self.optimizer = torch.optim.Adam(self.parameters(), lr=lr)

    def forward(self, x):
        return F.relu(self.drop(self.norm(self.linear(x))))

    def learn(self, x, y):
        loss = F.cross_entropy(self.head(self(x)), y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


class Greedy(nn.Module):
    def __init__(self, dims):
        super().__init__()
        self.blocks = nn.ModuleList()
        for a, b in zip(dims[:-1], dims[1:]):
            self.blocks.append(Block(a, b))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.blocks[-1].head(x)

    def fit(self, x, y):
        losses = []
        for i, block in enumerate(self.blocks):
            losses.append(block.learn(x, y))
            x = block(x).detach()
        return losses


net = Greedy([8, 6, 5])
x = torch.cos(torch.arange(32.0)).reshape(4, 8)
y = torch.tensor([0, 1, 2, 1])
for epoch in range(4):
    net.train()
    print(net.fit(x, y))
net.eval()
with torch.no_grad():
    print(net(x).sum().item(), net.blocks[1].training)
