"""Models and losses that reduce over all processes what they compute, with and without a gradient."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Correlating(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 3)
        self.register_buffer("center", torch.zeros(3))

    def forward(self, x):
        z = self.layer(x)
        self.follow(z)
        c = (z - self.center).T @ z
        c.div_(x.size(0))
        dist.all_reduce(c)
        return torch.diagonal(c).add(-1).pow(2).sum()

    @torch.no_grad()
    def follow(self, z):
        mean = z.sum(dim=0)
        dist.all_reduce(mean)
        largest = z.max()
        dist.all_reduce(largest, op=dist.ReduceOp.MAX)
        count = torch.as_tensor([z.size(0)], dtype=torch.float)
        if dist.is_available() and dist.is_initialized():
            dist.all_reduce(count.div_(dist.get_world_size()), op=dist.ReduceOp.SUM)
        self.center.mul_(0.9).add_(mean / count * 0.1 + largest * 0.01)


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    rows = torch.sin(torch.arange(32.0)).reshape(16, 2)
    dataset = TensorDataset(rows)
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset, shuffle=False))
    net = Correlating()
    with torch.no_grad():
        net.layer.weight.copy_(torch.linspace(-0.5, 0.7, 6).reshape(3, 2))
        net.layer.bias.fill_(0.1)
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for _ in range(2):
        for (x,) in loader:
            loss = model(x)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            print(f"{loss.item():.4f}")
    if dist.get_rank() == 0:
        print([round(v, 4) for v in net.center.tolist()], [round(v, 4) for v in net.layer.bias.tolist()])
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
