# also: nnx
# Lists of parts, and what a helper of another file puts at their begin.
import torch
from torch import nn

from package.utils import prepend, append


class UNet(nn.Module):
    def __init__(self, dims):
        super().__init__()
        self.downs = nn.ModuleList([])
        self.ups = nn.ModuleList([])
        self.scales = nn.ParameterList([])
        for a, b in zip(dims[:-1], dims[1:]):
            append(self.downs, nn.Linear(a, b))
            prepend(self.ups, nn.Linear(b, a))
            scale = nn.Parameter(torch.ones(b))
            self.scales.append(scale)
        self.ups.insert(0, nn.Dropout(0.0))

    def forward(self, x):
        for down, scale in zip(self.downs, self.scales):
            x = torch.tanh(down(x)) * scale
        for up in self.ups:
            x = up(x)
        return x


model = UNet([2, 3, 4])
print([(name, tuple(p.shape)) for name, p in model.named_parameters()])
with torch.no_grad():
    for p in model.parameters():
        p.copy_(torch.arange(p.numel()).view(p.shape) * 0.1 + 0.1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for i in range(3):
    loss = (model(torch.tensor([[1.0, 2.0], [3.0, -1.0]])) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
