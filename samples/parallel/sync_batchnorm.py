"""Statistics of the batches of all devices: `torchrun --nproc-per-node=8 sync_batchnorm.py`."""

import os

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Residual(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU(),
            nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, x):
        return F.relu(x + self.body(x))


def build_model():
    model = nn.Sequential(
        nn.Conv2d(1, 6, 3, padding=1), Residual(6), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.BatchNorm1d(6), nn.Linear(6, 1)
    )
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(0.5 * torch.cos(torch.arange(p.numel(), dtype=torch.float32) + number).reshape(p.shape))
    return model


def main():
    dist.init_process_group("nccl")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)

    images = torch.sin(torch.arange(64 * 36, dtype=torch.float32) ** 1.1).reshape(64, 1, 6, 6)
    dataset = TensorDataset(images, images.amax(dim=(1, 2, 3))[:, None])
    loader = DataLoader(dataset, batch_size=16 // world_size, sampler=DistributedSampler(dataset, shuffle=False))

    model = build_model().cuda(local_rank)
    model = nn.SyncBatchNorm.convert_sync_batchnorm(model)
    model = DDP(model, device_ids=[local_rank])
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(3):
        for x, y in loader:
            x, y = x.cuda(local_rank), y.cuda(local_rank)
            loss = F.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            mean = loss.detach().clone()
            dist.all_reduce(mean)
            if rank == 0:
                print(f"epoch {epoch}: {mean.item() / world_size:.4f}")
    if rank == 0:
        for name, value in model.module.state_dict().items():
            if "running" in name:
                print(name, f"{value.sum().item():.3f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
