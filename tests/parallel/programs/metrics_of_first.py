"""Metrics outside of steps, of what the model gives and of targets: they are those of the first process, or of all."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Meter:
    def __init__(self):
        self.sum, self.count, self.seen = 0.0, 0, []

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n
        self.avg = self.sum / self.count


def accuracy(output, target, topk=(1,)):
    with torch.no_grad():
        _, pred = output.topk(max(topk), 1, True, True)
        correct = pred.t().eq(target.view(1, -1).expand_as(pred.t()))
        return [correct[:k].reshape(-1).float().sum(0, keepdim=True).mul_(100.0 / target.size(0)) for k in topk]


def train(loader, model, criterion, optimizer):
    losses, top1 = Meter(), Meter()
    counts = torch.zeros(4)
    kept = []
    for images, target in loader:
        output = model(images)
        loss = criterion(output, target)
        acc1, acc2 = accuracy(output, target, topk=(1, 2))
        losses.update(loss.item(), images.size(0))
        top1.update(acc1[0].item(), images.size(0))
        counts += torch.bincount(target, minlength=4)
        kept.append(images)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"{images.abs().max().item():.4f} {acc2.item():.2f}")
        del images, target
    print(f"{counts.tolist()} {torch.cat(kept).sum().item():.4f}")
    return losses.avg, top1.avg


def validate(loader, model, criterion):
    losses, top1 = Meter(), Meter()
    model.eval()
    with torch.no_grad():
        for images, target in loader:
            output = model(images)
            loss = criterion(output, target)
            (acc1,) = accuracy(output, target)
            losses.update(loss.item(), images.size(0))
            top1.update(acc1[0].item(), images.size(0))
    model.train()
    return losses.avg, top1.avg


def main():
    dist.init_process_group("gloo")
    x = torch.sin(torch.arange(72.0)).reshape(24, 3)
    data = TensorDataset(x, (torch.arange(24) * 7) % 4)
    loader = DataLoader(data, batch_size=4, sampler=DistributedSampler(data, shuffle=False))
    model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 4))
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) * 1.3 + number).reshape(p.shape))
    model = DDP(model)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.3, momentum=0.9)
    for _ in range(2):
        trained = train(loader, model, criterion, optimizer)
        found = validate(loader, model, criterion)
        if dist.get_rank() == 0:
            print([round(value, 3) for value in (*trained, *found)])
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
