"""What the first process, or the last one, has behind a step, for all of them; what all have, for the first."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    x = torch.sin(torch.arange(48.0)).reshape(16, 3)
    data = TensorDataset(x, x[:, :2].cos() + x[:, 2:])
    loader = DataLoader(data, batch_size=4, sampler=DistributedSampler(data, shuffle=False))
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) * 1.3 + number).reshape(p.shape))
    model = DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        for x, y in loader:
            loss = nn.functional.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        told = loss.detach().clone()
        dist.broadcast(told, src=world - 1)
        own = loss.detach().clone()
        dist.broadcast(own, 0)
        parts = [torch.zeros_like(loss) for _ in range(world)] if rank == 0 else None
        dist.gather(loss.detach(), parts, dst=0)
        objects = [None] * world
        dist.gather_object(loss.item(), objects if rank == 0 else None)
        if rank == 0:
            print(f"{epoch} {told.item():.5f} {own.item():.5f} {max(parts).item():.5f} {sum(objects):.5f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
