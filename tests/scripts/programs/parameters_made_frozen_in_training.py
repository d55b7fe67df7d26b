# also: nnx
import copy
import torch
import torch.nn as nn


class Emb(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.cls = nn.Parameter(torch.zeros(1, 1, 4))
        self.pos = nn.Parameter(torch.zeros(1, n + 1, 4), requires_grad=False)
        self.fc = nn.Linear(4, 4)
        self.norm = nn.LayerNorm(4)
        self.register_parameter("gain", nn.Parameter(torch.ones(4), requires_grad=False))
        self.initialize()

    def initialize(self):
        self.pos.data.copy_(torch.sin(torch.arange(self.pos.numel()).float()).view(self.pos.shape))
        torch.nn.init.constant_(self.cls, 0.02)

    def forward(self, x):
        x = self.fc(x) + self.pos[:, 1:]
        c = self.cls + self.pos[:, :1]
        x = torch.cat([c.expand(x.shape[0], -1, -1), x], 1)
        return self.norm(x.flatten(0, 1)) * self.gain


model = Emb(3)
with torch.no_grad():
    for p in model.fc.parameters():
        p.fill_(0.3)
print(sum(p.numel() for p in model.parameters()), sum(p.numel() for p in model.parameters() if p.requires_grad))
n = 0
for p in model.parameters():
    if p.requires_grad:
        n += p.numel()
print(n, model.pos.requires_grad, model.cls.requires_grad)
params = [p for p in model.parameters() if p.requires_grad]
opt = torch.optim.AdamW(params, lr=0.1, weight_decay=0.5)
ema = copy.deepcopy(model)
for _ in range(3):
    out = model(torch.ones(2, 3, 4))
    loss = (out * torch.arange(4.0)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for a, b in zip(ema.parameters(), model.parameters()):
            a.mul_(0.9).add_(b, alpha=0.1)
    print(round(loss.item(), 4))
print(round(model.pos.sum().item(), 4), round(ema.pos.sum().item(), 4), round(ema.fc.weight.sum().item(), 4))
decay, no_decay = [], []
for name, param in model.named_parameters():
    if not param.requires_grad:
        continue
    if param.ndim <= 1:
        no_decay.append(name)
    else:
        decay.append(name)
print(decay, no_decay)
opt = torch.optim.SGD(model.parameters(), lr=0.1, weight_decay=0.1)
model(torch.ones(2, 3, 4)).sum().backward()
opt.step()
print(round(model.pos.sum().item(), 4), round(model.gain.sum().item(), 4))
sd = model.state_dict()
other = Emb(3)
other.load_state_dict(sd)
print(list(sd)[:3], round(other.pos.sum().item(), 4))
