# also: nnx
"""Fields that hold an array of NumPy, or a plain tensor, before they hold a parameter, which is frozen in some of them."""

import numpy as np
import torch
import torch.nn as nn


class BackprojectDepth(nn.Module):
    def __init__(self, batch_size, height, width):
        super().__init__()
        self.batch_size = batch_size
        self.height = height
        self.width = width
        meshgrid = np.meshgrid(range(self.width), range(self.height), indexing='xy')
        self.id_coords = np.stack(meshgrid, axis=0).astype(np.float32)
        self.id_coords = nn.Parameter(torch.from_numpy(self.id_coords), requires_grad=False)
        self.ones = nn.Parameter(torch.ones(self.batch_size, 1, self.height * self.width), requires_grad=False)
        self.pix_coords = torch.unsqueeze(torch.stack(
            [self.id_coords[0].view(-1), self.id_coords[1].view(-1)], 0), 0)
        self.pix_coords = self.pix_coords.repeat(batch_size, 1, 1)
        self.pix_coords = nn.Parameter(torch.cat([self.pix_coords, self.ones], 1), requires_grad=False)

    def forward(self, depth, inv_K):
        cam_points = torch.matmul(inv_K[:, :3, :3], self.pix_coords)
        cam_points = depth.view(self.batch_size, 1, -1) * cam_points
        return torch.cat([cam_points, self.ones], 1)


m = BackprojectDepth(2, 3, 4)
d = torch.arange(24.0).view(2, 1, 3, 4)
k = torch.eye(4)[None].repeat(2, 1, 1)
print(m(d, k).sum((1, 2)).tolist(), [n for n, _ in m.named_parameters()], list(m.state_dict()))


class A(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.w = torch.ones(n)
        self.w = self.w.repeat(2)
        self.w = nn.Parameter(self.w, requires_grad=False)

    def forward(self, x):
        return x * self.w


class B(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.v = nn.Parameter(torch.ones(n))
        self.w = torch.ones(n)
        self.w = nn.Parameter(self.w, requires_grad=False)

    def forward(self, x):
        return x * self.w


class C(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.w = torch.ones(n)
        self.register_buffer("u", self.w)
        self.w = nn.Parameter(self.w * 2)

    def forward(self, x):
        return x * self.w


for net in (A(2), B(2), C(3)):
    print([n for n, _ in net.named_parameters()], list(net.state_dict()), sum(p.numel() for p in net.parameters()))


class D(nn.Module):
    def __init__(self, n):
        super().__init__()
        w = torch.ones(n)
        if n > 2:
            self.w = nn.Parameter(w, requires_grad=False)
        else:
            self.w = nn.Parameter(w * 2, requires_grad=False)


print(list(D(2).state_dict()), D(3).w.sum().item())


class F(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.grid = torch.arange(n).float()
        self.fc = nn.Linear(n, 1)
        self.bias = nn.Parameter(self.grid + 1)
        self.grid = self.grid * 2
        self.grid = nn.Parameter(self.grid + self.bias.detach())

    def forward(self, x):
        return self.fc(x * self.grid) + self.bias.sum()


f = F(3)
print(list(f.state_dict()), [n for n, _ in f.named_parameters()], f.grid.tolist())
nn.init.constant_(f.fc.weight, 0.5)
nn.init.constant_(f.fc.bias, 0.5)
opt = torch.optim.SGD(f.parameters(), lr=0.1)
for _ in range(3):
    opt.zero_grad()
    loss = f(torch.ones(2, 3)).pow(2).mean()
    loss.backward()
    opt.step()
    print(loss.item(), f.grid.sum().item())
