"""Bare modules that hold parts: of an encoder and decoder with levels, with parts that some levels lack."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).view(p.shape) * 0.3)


def run(model, x, y, lr=0.1, steps=3):
    fill(model)
    opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    for _ in range(steps):
        opt.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        opt.step()
        print(round(loss.item(), 5))
    model.eval()
    with torch.no_grad():
        print(model(x).sum().item())


class Block(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.norm = nn.GroupNorm(1, i)
        self.conv = nn.Conv2d(i, o, 3, padding=1)
        self.drop = nn.Dropout(0.0)

    def forward(self, x, temb=None):
        h = self.drop(self.conv(F.silu(self.norm(x))))
        return h if temb is None else h + temb


class Decoder(nn.Module):
    def __init__(self, *, ch=4, mult=(1, 2), n=1, attn_at=(8,)):
        super().__init__()
        self.num = len(mult)
        self.n = n
        c = ch * mult[-1]
        self.conv_in = nn.Conv2d(3, c, 3, padding=1)
        # middle
        self.mid = nn.Module()
        self.mid.block_1 = Block(c, c)
        self.mid.attn_1 = Block(c, c) if n > 0 else nn.Identity()

        # upsampling
        self.up = nn.ModuleList()
        res = 4
        for i_level in reversed(range(self.num)):
            block = nn.ModuleList()
            attn = nn.ModuleList()
            o = ch * mult[i_level]
            for i in range(self.n + 1):
                block.append(Block(c, o))
                c = o
                if res in attn_at:
                    attn.append(Block(c, c))
            up = nn.Module()
            up.block = block
            up.attn = attn
            if i_level != 0:
                up.upsample = nn.Conv2d(c, c, 1)
                res = res * 2
            self.up.insert(0, up)  # prepend to get consistent order
        self.temb = nn.Module()
        self.temb.dense = nn.ModuleList([nn.Linear(3, 4), nn.Linear(4, 4)])
        self.out = nn.Linear(c, 2)

    def forward(self, x):
        h = self.conv_in(x)
        t = self.temb.dense[1](torch.relu(self.temb.dense[0](x.mean((2, 3)))))
        h = self.mid.block_1(h)
        h = self.mid.attn_1(h)
        for i_level in reversed(range(self.num)):
            for i in range(self.n + 1):
                h = self.up[i_level].block[i](h, temb=None)
                if len(self.up[i_level].attn) > 0:
                    h = self.up[i_level].attn[i](h)
            if i_level != 0:
                h = self.up[i_level].upsample(F.interpolate(h, scale_factor=2.0, mode="nearest"))
        return self.out(h.mean((2, 3)) + t)


class Net(nn.Module):
    def __init__(self, deep=True):
        super().__init__()
        self.first = nn.Linear(6, 4)
        fourth = nn.Module()
        fourth.w = nn.Parameter(torch.ones(4))
        fourth.n = 3
        fourth.v = fourth.n + 1
        fourth.bn = nn.BatchNorm1d(4)
        self.fourth = fourth
        self.mid = nn.Module()
        if deep:
            self.mid.a = nn.Linear(4, 4)
        else:
            self.mid.a = nn.Identity()
        self.mid.c = nn.Linear(4, 2)

    def forward(self, x):
        h = self.fourth.bn(self.first(x)) * self.fourth.w * self.fourth.v
        if self.mid.a is not None:
            h = self.mid.a(h)
        return self.mid.c(h)


m = Decoder()
print([n for n, _ in m.named_parameters()])
run(m, torch.sin(torch.arange(2 * 3 * 8 * 8.0)).view(2, 3, 8, 8), torch.ones(2, 2))
print(list(m.state_dict())[:6])

net = Net()
print([n for n, _ in net.named_parameters()])
run(net, torch.sin(torch.arange(24.0)).view(4, 6), torch.cos(torch.arange(8.0)).view(4, 2))
