# also: nnx, linen
# Groups of parameters are filled by `(a if test else b).append(p)`; weights of losses are learned, an average is applied and taken back.
import math, torch, torch.nn as nn, torch.nn.functional as F, numpy as np
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv1d(2, 8, 3, padding=1, bias=False), nn.BatchNorm1d(8), nn.GELU(), nn.AdaptiveAvgPool1d(1), nn.Flatten())
        self.heads = nn.ModuleDict({"cls": nn.Linear(8, 3), "reg": nn.Linear(8, 1)})
        self.log_vars = nn.Parameter(torch.zeros(2))
    def forward(self, x):
        z = self.trunk(x)
        return {k: h(z) for k, h in self.heads.items()}
class SmoothCE(nn.Module):
    def __init__(self, eps=0.1): super().__init__(); self.eps = eps
    def forward(self, x, t):
        n = x.size(-1); lp = F.log_softmax(x, dim=-1)
        nll = -lp.gather(dim=-1, index=t.unsqueeze(1)).squeeze(1)
        return ((1 - self.eps) * nll + self.eps * (-lp.mean(dim=-1))).mean()
class EMA:
    def __init__(self, model, decay):
        self.decay = decay; self.shadow = {n: p.clone().detach() for n, p in model.named_parameters() if p.requires_grad}; self.steps = 0
    def update(self, model):
        self.steps += 1
        d = min(self.decay, (1 + self.steps) / (10 + self.steps))
        for n, p in model.named_parameters():
            if p.requires_grad:
                self.shadow[n].mul_(d).add_(p.data, alpha=1 - d)
    def apply(self, model):
        self.backup = {}
        for n, p in model.named_parameters():
            if p.requires_grad:
                self.backup[n] = p.data.clone(); p.data.copy_(self.shadow[n])
    def restore(self, model):
        for n, p in model.named_parameters():
            if n in self.backup: p.data.copy_(self.backup[n])
        self.backup = {}
net = Net()
with torch.no_grad():
    for i, p in enumerate(net.parameters()): p.add_(0).copy_(torch.cos(torch.arange(p.numel()).float() + i).view_as(p) * 0.3)
decay, no_decay = [], []
for n, p in net.named_parameters():
    (no_decay if p.ndim <= 1 or n.endswith("bias") else decay).append(p)
opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.05}, {"params": no_decay, "weight_decay": 0.0}], lr=0.02)
T = 8
sch = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: (s + 1) / 2 if s < 2 else 0.5 * (1 + math.cos(math.pi * (s - 2) / (T - 2))))
ema = EMA(net, 0.9); ce = SmoothCE()
x = torch.sin(torch.arange(12 * 2 * 7).float()).view(12, 2, 7); y = torch.arange(12) % 3; r = torch.linspace(0, 1, 12).view(-1, 1)
for s in range(T):
    lam = 0.7; idx = torch.arange(11, -1, -1)
    xm = lam * x + (1 - lam) * x[idx]
    out = net(xm)
    lc = lam * ce(out["cls"], y) + (1 - lam) * ce(out["cls"], y[idx])
    lr_ = F.smooth_l1_loss(out["reg"], lam * r + (1 - lam) * r[idx])
    losses = torch.stack([lc, lr_])
    loss = (torch.exp(-net.log_vars) * losses + net.log_vars).sum()
    opt.zero_grad(set_to_none=True); loss.backward()
    gn = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step(); sch.step(); ema.update(net)
    print(s, round(loss.item(), 4), round(gn.item(), 3), [round(g["lr"], 4) for g in opt.param_groups])
net.eval(); ema.apply(net)
with torch.no_grad(): print(net(x)["cls"].sum().item(), net.log_vars.sum().item())
ema.restore(net)
with torch.no_grad(): print(net(x)["cls"].sum().item())
