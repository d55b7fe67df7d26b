# also: nnx, linen
"""First values of layers rescaled by a helper that is given their weights, in a loop over blocks."""
import math
import torch
import torch.nn as nn
import torch.nn.functional as F


class Attn(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.qkv = nn.Linear(d, 3 * d)
        self.proj = nn.Linear(d, d)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        return self.proj(torch.softmax(q @ k.transpose(1, 2), -1) @ v)


class Mlp(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(d, 2 * d), nn.Linear(2 * d, d)

    def forward(self, x):
        return self.fc2(F.gelu(self.fc1(x)))


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.attn, self.mlp, self.norm = Attn(d), Mlp(d), nn.LayerNorm(d)

    def forward(self, x):
        x = x + self.attn(self.norm(x))
        return x + self.mlp(x)


class ViT(nn.Module):
    def __init__(self, d=4, depth=2, init_std=0.02):
        super().__init__()
        self.init_std = init_std
        self.pos_embed = nn.Parameter(torch.zeros(1, 3, d), requires_grad=False)
        self.pos_embed.data.copy_(torch.linspace(0, 1, 3 * d).view(1, 3, d).float())
        self.blocks = nn.ModuleList([Block(d) for _ in range(depth)])
        self.norm = nn.LayerNorm(d)
        self.apply(self._init_weights)
        self.fix_init_weight()

    def fix_init_weight(self):
        def rescale(param, layer_id):
            param.div_(math.sqrt(2.0 * layer_id))

        for layer_id, layer in enumerate(self.blocks):
            rescale(layer.attn.proj.weight.data, layer_id + 1)
            rescale(layer.mlp.fc2.weight.data, layer_id + 1)

    def _init_weights(self, m):
        if isinstance(m, nn.Linear):
            nn.init.constant_(m.weight, 0.1)
            if m.bias is not None:
                nn.init.constant_(m.bias, 0.05)
        elif isinstance(m, nn.LayerNorm):
            nn.init.constant_(m.bias, 0)
            nn.init.constant_(m.weight, 1.0)

    def forward(self, x):
        x = x + self.pos_embed
        for blk in self.blocks:
            x = blk(x)
        return self.norm(x)


m = ViT()
x = torch.linspace(-1, 1, 24).view(2, 3, 4)
opt = torch.optim.SGD([p for p in m.parameters() if p.requires_grad], lr=0.1)
for i in range(2):
    loss = (m(x) * torch.cos(x)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
