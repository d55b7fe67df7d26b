"""Contrastive learning with the embeddings of all devices: `torchrun --nproc-per-node=8 contrastive.py`."""

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler


class GatherLayer(torch.autograd.Function):
    """Gather tensors from all processes; gradients go back to where they come from."""

    @staticmethod
    def forward(ctx, x):
        output = [torch.zeros_like(x) for _ in range(dist.get_world_size())]
        dist.all_gather(output, x)
        return tuple(output)

    @staticmethod
    def backward(ctx, *grads):
        all_gradients = torch.stack(grads)
        dist.all_reduce(all_gradients)
        return all_gradients[dist.get_rank()]


class NTXentLoss(nn.Module):
    def __init__(self, temperature: float = 0.5):
        super().__init__()
        self.temperature = temperature

    def forward(self, z_i, z_j):
        z_i = torch.cat(GatherLayer.apply(z_i), dim=0)
        z_j = torch.cat(GatherLayer.apply(z_j), dim=0)
        z = F.normalize(torch.cat((z_i, z_j), dim=0), dim=1)
        n = z_i.size(0)
        similarity = z @ z.T / self.temperature
        similarity = similarity.masked_fill(torch.eye(2 * n, dtype=torch.bool, device=z.device), float("-inf"))
        positives = torch.cat((torch.arange(n, 2 * n), torch.arange(n))).to(z.device)
        return F.cross_entropy(similarity, positives)


class SimCLR(nn.Module):
    def __init__(self, dim: int = 6, projection_dim: int = 4):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(dim, 12), nn.ReLU())
        self.projector = nn.Sequential(nn.Linear(12, 12, bias=False), nn.ReLU(), nn.Linear(12, projection_dim, bias=False))

    def forward(self, x_i, x_j):
        return self.projector(self.encoder(x_i)), self.projector(self.encoder(x_j))


class TwoViews(Dataset):
    def __init__(self, count: int, dim: int):
        self.rows = torch.sin(torch.arange(count * dim, dtype=torch.float32) ** 1.2).reshape(count, dim)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        row = self.rows[index]
        return row + 0.05 * torch.cos(3 * row), row.flip(0)


def main():
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    dataset = TwoViews(64, 6)
    sampler = DistributedSampler(dataset, shuffle=False, drop_last=True)
    loader = DataLoader(dataset, batch_size=32 // world_size, sampler=sampler, drop_last=True)

    model = SimCLR()
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(0.5 * torch.sin(torch.arange(p.numel(), dtype=torch.float32) + number).reshape(p.shape))
    model = DDP(model)
    criterion = NTXentLoss(temperature=0.5)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)

    for epoch in range(3):
        sampler.set_epoch(epoch)
        total = 0.0
        for x_i, x_j in loader:
            optimizer.zero_grad()
            z_i, z_j = model(x_i, x_j)
            loss = criterion(z_i, z_j)
            loss.backward()
            optimizer.step()
            total += loss.item()
        if rank == 0:
            print(f"epoch {epoch}: {total / len(loader):.4f}")
    if rank == 0:
        for name, p in model.module.named_parameters():
            print(name, f"{p.abs().sum().item():.3f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
