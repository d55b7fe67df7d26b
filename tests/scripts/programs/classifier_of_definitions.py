# also: nnx, linen
import torch
import torch.nn as nn
import torch.nn.functional as F


class MLP(nn.Module):
    def __init__(self, din, dh=16, dout=3):
        super().__init__()
        self.fc1 = nn.Linear(din, dh)
        self.fc2 = nn.Linear(dh, dout)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


def fill(model):
    sd = {}
    for i, (k, v) in enumerate(model.state_dict().items()):
        sd[k] = (
            torch.sin(torch.arange(v.numel(), dtype=torch.float32) * 0.7 + i).reshape(v.shape) * 0.3
            if v.dtype.is_floating_point
            else v
        )
    model.load_state_dict(sd)


model = MLP(4)
fill(model)
x = torch.cos(torch.arange(24, dtype=torch.float32)).reshape(6, 4)
y = torch.tensor([0, 1, 2, 0, 1, 2])
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
for step in range(5):
    opt.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    opt.step()
    print(step, loss.item())
with torch.no_grad():
    print(model(x).sum().item())
print(sum(p.numel() for p in model.parameters()))
print(list(model.state_dict().keys()))
