"""Train an image classifier on several devices: `torchrun --nproc-per-node=8 ddp_classifier.py`."""

import os

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Net(nn.Module):
    def __init__(self, num_classes: int = 4):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(8)
        self.conv2 = nn.Conv2d(8, 16, 3, stride=2, padding=1)
        self.fc = nn.Linear(16, num_classes)

    def forward(self, x):
        x = F.relu(self.bn1(self.conv1(x)))
        x = F.relu(self.conv2(x))
        return self.fc(x.mean(dim=(2, 3)))


def make_data(count: int):
    """Waves of four kinds."""
    labels = torch.arange(count) % 4
    grid = torch.arange(8, dtype=torch.float32)
    phase = torch.arange(count, dtype=torch.float32)[:, None, None]
    waves = torch.sin(grid[:, None] * (1 + labels[:, None, None]) + phase) + torch.cos(grid * labels[:, None, None])
    return TensorDataset(waves[:, None], labels)


def init_weights(model):
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(0.4 * torch.sin(torch.arange(p.numel(), dtype=torch.float32) + number).reshape(p.shape))


def train_one_epoch(model, loader, optimizer, device):
    model.train()
    total = torch.zeros(2, device=device)
    for images, labels in loader:
        images, labels = images.to(device, non_blocking=True), labels.to(device, non_blocking=True)
        optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
        total[0] += loss.item() * images.size(0)
        total[1] += images.size(0)
    dist.all_reduce(total)
    return (total[0] / total[1]).item()


@torch.no_grad()
def evaluate(model, loader, device):
    model.eval()
    correct, count = 0, 0
    for images, labels in loader:
        images, labels = images.to(device), labels.to(device)
        correct += (model(images).argmax(dim=1) == labels).sum().item()
        count += labels.size(0)
    totals = torch.tensor([correct, count], dtype=torch.float32, device=device)
    dist.all_reduce(totals, op=dist.ReduceOp.SUM)
    return (totals[0] / totals[1]).item()


def main():
    dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    rank, local_rank, world_size = dist.get_rank(), int(os.environ["LOCAL_RANK"]), dist.get_world_size()
    device = torch.device("cuda", local_rank) if torch.cuda.is_available() else torch.device("cpu")

    train_set, test_set = make_data(128), make_data(64)
    sampler = DistributedSampler(train_set, num_replicas=world_size, rank=rank, shuffle=False)
    train_loader = DataLoader(train_set, batch_size=32 // world_size, sampler=sampler, drop_last=True)
    test_loader = DataLoader(test_set, batch_size=8, sampler=DistributedSampler(test_set, shuffle=False))

    model = Net().to(device)
    init_weights(model)
    model = DDP(model, device_ids=[local_rank] if torch.cuda.is_available() else None)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=4)

    for epoch in range(4):
        sampler.set_epoch(epoch)
        loss = train_one_epoch(model, train_loader, optimizer, device)
        accuracy = evaluate(model, test_loader, device)
        scheduler.step()
        if rank == 0:
            print(f"epoch {epoch}: loss {loss:.4f}, accuracy {accuracy:.3f}")
            torch.save(model.module.state_dict(), "ddp_classifier.pt")

    dist.barrier()
    restored = Net().to(device)
    restored.load_state_dict(torch.load("ddp_classifier.pt", map_location=device))
    if rank == 0:
        print(f"restored: {sum(p.abs().sum().item() for p in restored.parameters()):.3f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
