# also: nnx, linen
"""A module around the one that is trained: made behind the optimizer, with buffers computed of each other, and gradients clipped."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class UNet(nn.Module):
    def __init__(self, T):
        super().__init__()
        self.emb = nn.Embedding(T, 4)
        self.fc1 = nn.Linear(8, 16)
        self.fc2 = nn.Linear(16, 4)

    def forward(self, x, t):
        return self.fc2(torch.tanh(self.fc1(torch.cat([x, self.emb(t)], 1))))


def extract(v, t, x_shape):
    out = torch.gather(v, index=t, dim=0).float()
    return out.view([t.shape[0]] + [1] * (len(x_shape) - 1))


class Trainer(nn.Module):
    def __init__(self, model, beta_1, beta_T, T):
        super().__init__()
        self.model = model
        self.T = T
        self.register_buffer('betas', torch.linspace(beta_1, beta_T, T).double())
        alphas = 1. - self.betas
        alphas_bar = torch.cumprod(alphas, dim=0)
        self.register_buffer('sqrt_alphas_bar', torch.sqrt(alphas_bar))
        self.register_buffer('sqrt_one_minus_alphas_bar', torch.sqrt(1. - alphas_bar))

    def forward(self, x_0):
        t = torch.arange(x_0.shape[0]) % self.T
        noise = torch.cos(x_0 * 3)
        x_t = extract(self.sqrt_alphas_bar, t, x_0.shape) * x_0 + extract(self.sqrt_one_minus_alphas_bar, t, x_0.shape) * noise
        return F.mse_loss(self.model(x_t, t), noise, reduction='none')


def train(config):
    net_model = UNet(config["T"])
    with torch.no_grad():
        for p in net_model.parameters():
            p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))
    optimizer = torch.optim.AdamW(net_model.parameters(), lr=config["lr"], weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer=optimizer, T_max=3)
    trainer = Trainer(net_model, 1e-4, 0.02, config["T"])
    x = torch.linspace(-1, 1, 24).view(6, 4)
    for e in range(4):
        optimizer.zero_grad()
        loss = trainer(x).sum() / 10.
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net_model.parameters(), config["grad_clip"])
        optimizer.step()
        print(e, loss.item(), optimizer.state_dict()['param_groups'][0]["lr"])
        sched.step()
    print(sum(p.sum().item() for p in net_model.parameters()))


train({"T": 5, "lr": 0.01, "grad_clip": 0.5})
