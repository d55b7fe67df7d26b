# also: nnx, linen
import torch
import torch.nn as nn

# a block of two layers
block = lambda n, m: nn.Sequential(
    nn.Linear(n, m),
    nn.BatchNorm1d(m),
    nn.LeakyReLU(),
)
noisy = lambda x, scale=0.0: x + scale * torch.randn_like(x) + scale * torch.rand_like(x)


class Model(nn.Module):
    def __init__(self, n: int, criterion: nn.Module = nn.MSELoss()) -> None:
        super().__init__()
        self.net = nn.Sequential(block(n, 4), block(4, 3), nn.Linear(3, 1))
        self.criterion = criterion

    def forward(self, x, y):
        return self.criterion(self.net(noisy(x)), y)


torch.manual_seed(0)
model = Model(2)
with torch.no_grad():
    for p in model.parameters():
        p.copy_(torch.linspace(-1, 1, p.numel()).view(p.shape))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.linspace(-1, 2, 16).view(8, 2)
y = x.sum(1, keepdim=True)
for step in range(5):
    optimizer.zero_grad()
    loss = model(x, y)
    loss.backward()
    optimizer.step()
    print(step, f"{loss.item():.5f}")
print(model.net[0][1].running_mean.tolist())
