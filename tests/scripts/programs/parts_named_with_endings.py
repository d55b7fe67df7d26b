# also: nnx, linen
"""Parts under names with a number in the middle or two numbers, set by a method, and by a class that derives from another."""

import torch
import torch.nn as nn


class Stem(nn.Module):
    def __init__(self, dims):
        super().__init__()
        self.num_pathways = len(dims)
        self._construct_stem(dims)

    def _construct_stem(self, dims):
        for pathway in range(len(dims)):
            stem = nn.Linear(dims[pathway], 2)
            self.add_module("pathway{}_stem".format(pathway), stem)

    def forward(self, x):
        return [getattr(self, "pathway{}_stem".format(pathway))(x[pathway]) for pathway in range(self.num_pathways)]


class Head(nn.Module):
    def __init__(self, pool_size, dims):
        super().__init__()
        for pathway in range(len(pool_size)):
            if pool_size[pathway] is None:
                avg_pool = nn.AdaptiveAvgPool2d((1, 1))
            else:
                avg_pool = nn.AvgPool2d(pool_size[pathway], stride=1)
            self.add_module(f"pathway{pathway}_avgpool", avg_pool)
        self.num_pathways = len(pool_size)
        self.projection = nn.Linear(sum(dims), 3)

    def forward(self, inputs):
        pool_out = []
        for pathway in range(self.num_pathways):
            m = getattr(self, f"pathway{pathway}_avgpool")
            pool_out.append(m(inputs[pathway]))
        return self.projection(torch.cat(pool_out, 1).flatten(1))


class Grid(nn.Module):
    def __init__(self, rows, columns):
        super().__init__()
        self.rows, self.columns = rows, columns
        for i in range(rows):
            for j in range(columns):
                self.add_module("cell%d_%d" % (i, j), nn.Linear(3, 3))

    def forward(self, x):
        for i in range(self.rows):
            x = sum(getattr(self, "cell%d_%d" % (i, j))(x) for j in range(self.columns))
            x = torch.tanh(x)
        return x


class Encoder(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.first = nn.Linear(n, n)

    def encode(self, x):
        return torch.tanh(self.first(x))


class Flow(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, n)

    def forward(self, z, u):
        return z + u * self.fc(z), self.fc(z).sum(-1)


class FlowEncoder(Encoder):
    def __init__(self, n, num_flows):
        super().__init__(n)
        self.log_det = 0
        flow = Flow
        self.num_flows = num_flows
        for k in range(self.num_flows):
            flow_k = flow(n)
            self.add_module("flow_" + str(k) + "_of_all", flow_k)

    def forward(self, x):
        z, log_det = [self.encode(x)], 0.0
        for k in range(self.num_flows):
            flow_k = getattr(self, "flow_" + str(k) + "_of_all")
            z_k, log_det_k = flow_k(z[k], 0.5)
            z.append(z_k)
            log_det += log_det_k
        return z[-1], log_det


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.linspace(-0.5, 0.5, p.numel()).view(p.shape) + 0.01 * i)


stem = Stem([3, 4])
fill(stem)
print(list(stem.state_dict()), [y.sum().item() for y in stem([torch.ones(2, 3), torch.ones(2, 4)])])
head = Head([None, 2], [2, 2])
fill(head)
print(list(head.state_dict()), head([torch.ones(1, 2, 2, 2), torch.ones(1, 2, 2, 2)]).tolist())
grid = Grid(2, 2)
fill(grid)
print(list(grid.state_dict()), grid(torch.ones(1, 3)).tolist())
model = FlowEncoder(3, 2)
fill(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    y, log_det = model(torch.linspace(-1, 1, 6).view(2, 3))
    loss = (y**2).mean() + log_det.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 4))
print(list(model.state_dict()))
