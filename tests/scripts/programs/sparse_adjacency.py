"""Graph convolutions over sparse matrices, which are dense arrays in the translation."""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def of_coordinates(rows, columns, data, shape):
    indices = torch.from_numpy(np.vstack((rows, columns)).astype(np.int64))
    values = torch.from_numpy(data)
    shape = torch.Size(shape)
    return torch.sparse.FloatTensor(indices, values, shape)


class GraphConvolution(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.weight = nn.Parameter(torch.arange(n_in * n_out).reshape(n_in, n_out) % 5 / 10)
        self.bias = nn.Parameter(torch.zeros(n_out))

    def forward(self, x, adj):
        support = torch.mm(x, self.weight)
        return torch.spmm(adj, support) + self.bias


class GCN(nn.Module):
    def __init__(self):
        super().__init__()
        self.gc1 = GraphConvolution(4, 8)
        self.gc2 = GraphConvolution(8, 3)

    def forward(self, x, adj):
        return F.log_softmax(self.gc2(F.relu(self.gc1(x, adj)), adj), dim=1)


edges = torch.tensor([[0, 1], [1, 2], [2, 0], [3, 1], [0, 1]])
adj = torch.sparse_coo_tensor(edges.T, torch.ones(5), (4, 4), dtype=torch.int64)
print(adj.to_dense())
adj = torch.eye(4) + adj
degree = torch.diag(torch.rsqrt(adj.sum(dim=1))).to_sparse()
adj = degree @ adj @ degree
adj2 = of_coordinates(np.array([0, 1]), np.array([1, 3]), np.ones(2, np.float32), (4, 4))
adj2 = adj2.coalesce()
x = torch.arange(16.0).reshape(4, 4) / 16
y = torch.tensor([0, 1, 2, 1])
model = GCN()
opt = torch.optim.SGD(model.parameters(), lr=0.5)
for i in range(4):
    out = model(x, adj.to_sparse() if i % 2 else adj2)
    loss = F.nll_loss(out[:3], y[:3])
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
print(torch.sparse.mm(adj2, x))
