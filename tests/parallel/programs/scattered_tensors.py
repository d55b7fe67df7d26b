"""Embeddings and statistics that go over all processes as one tensor."""

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        z = F.normalize(self.fc(x), dim=1)
        every = torch.empty(dist.get_world_size() * z.shape[0], z.shape[1])
        dist.all_gather_into_tensor(every, z.detach())
        own = torch.empty(z.shape[0], z.shape[1])
        dist.reduce_scatter_tensor(own, every * (dist.get_rank() + 1))
        return z @ every.t() + own.sum()


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(0)
    X = torch.sin(torch.arange(64.0)).reshape(16, 4)
    Y = torch.arange(16) % 4
    data = TensorDataset(X, Y)
    sampler = DistributedSampler(data, num_replicas=world, rank=rank, shuffle=False)
    loader = DataLoader(data, batch_size=4, sampler=sampler)
    net = Net()
    with torch.no_grad():
        net.fc.weight.copy_(torch.linspace(-1, 1, 12).reshape(3, 4))
        net.fc.bias.zero_()
    model = DDP(net)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        for x, y in loader:
            opt.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            opt.step()
            stats = torch.stack([loss.detach(), -(loss.detach() ** 2)])
            dist.all_reduce(stats)
            out = torch.zeros(())
            dist.reduce_scatter(out, [loss.detach()] * world)
            if rank == 0:
                print([round(v, 5) for v in (stats / world).tolist()], round(out.item(), 5))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
