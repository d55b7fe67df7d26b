# also: nnx, linen
import torch
import torch.nn as nn


class Counted(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.fc = nn.Linear(d, d)
        self.fc2 = nn.Linear(d, 2)
        self._init()

    def _init(self):
        k = 0
        for name, p in self.named_parameters():
            k += 1
            if 'bias' in name:
                nn.init.constant_(p, 0.01 * k)
            else:
                with torch.no_grad():
                    p.copy_(torch.sin(torch.arange(p.numel()).float().reshape(p.shape) * 0.3 + k))

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc(x)))


x = torch.linspace(-1, 1, 12).view(4, 3)
model = Counted(3)
opt = torch.optim.SGD(model.parameters(), lr=0.01)
for i in range(4):
    loss = model(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
with torch.no_grad():
    print(model.fc.weight.sum().item())
