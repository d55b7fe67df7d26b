"""What the program with a Fabric does, written with DistributedDataParallel."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main():
    dist.init_process_group("gloo")
    x = torch.sin(torch.arange(54.0)).reshape(18, 3)
    data = TensorDataset(x, x[:, :2].cos())
    loader = DataLoader(data, batch_size=3, sampler=DistributedSampler(data, shuffle=False))
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) * 1.3 + number).reshape(p.shape))
    model = DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(2):
        for iteration, (a, b) in enumerate(loader):
            loss = nn.functional.mse_loss(model(a), b)
            loss.backward()
            if iteration % 2:
                nn.utils.clip_grad_value_(model.parameters(), 0.1)
                optimizer.step()
                optimizer.zero_grad()
        mean = loss.detach().clone()
        dist.all_reduce(mean)
        if dist.get_rank() == 0:
            print(f"{mean.item() / dist.get_world_size():.5f}")
    if dist.get_rank() == 0:
        print(f"{sum(p.sum().item() for p in model.parameters()):.4f} {dist.get_world_size()}")


if __name__ == "__main__":
    main()
