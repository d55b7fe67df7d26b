# flagged: T2J303, also: nnx
import torch
from torch import nn

backbone = nn.Linear(3, 3)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = backbone
        self.head = nn.Linear(3, 2)

    def forward(self, x):
        return self.head(torch.tanh(self.inner(x)))


def fill(net):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape) * (i + 1) / 5)


model = Model()
fill(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.linspace(0, 1, 6).reshape(2, 3)
for _ in range(2):
    optimizer.zero_grad()
    loss = (model(x) - 0.3).square().mean()
    loss.backward()
    optimizer.step()
    print(loss.item())
print([p.sum().item() for p in backbone.parameters()])
