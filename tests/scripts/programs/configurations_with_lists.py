import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(module):
    with torch.no_grad():
        for i, p in enumerate(module.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * (0.7 + 0.1 * i)).reshape(p.shape) * 0.3)


def data(n, d):
    return torch.cos(torch.arange(n * d, dtype=torch.float32) * 0.37).reshape(n, d)


from dataclasses import dataclass, field, asdict


@dataclass
class Config:
    hidden: int = 4
    lr: float = 0.1
    betas: tuple = (0.9, 0.95)
    layers: list = field(default_factory=lambda: [4, 5])


class Net(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        dims = [3] + cfg.layers + [1]
        self.layers = nn.Sequential(*[m for a, b in zip(dims, dims[1:]) for m in (nn.Linear(a, b), nn.SiLU())][:-1])
        self.cfg = cfg

    def forward(self, x):
        return self.layers(x)


cfg = Config(layers=[6, 4])
net = Net(cfg)
fill(net)
decay = [p for p in net.parameters() if p.dim() >= 2]
rest = [p for p in net.parameters() if p.dim() < 2]
opt = torch.optim.AdamW(
    [{"params": decay, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}], lr=cfg.lr, betas=cfg.betas
)
for _ in range(3):
    loss = F.mse_loss(net(data(5, 3)), data(5, 1))
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
print(asdict(cfg)["layers"], net.cfg.lr)
