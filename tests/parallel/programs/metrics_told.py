"""Metrics of an evaluation that an object keeps, which gives the batches as well, and that are told by the format of a text."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Meter:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def update(self, value, n=1):
        self.total += value * n
        self.count += n

    @property
    def average(self):
        return self.total / self.count

    def __str__(self):
        return f"{self.average:.4f}"


class Logger:
    def __init__(self):
        self.meters = {}

    def update(self, n=1, **values):
        for name, value in values.items():
            self.meters.setdefault(name, Meter()).update(value, n)

    def __getattr__(self, name):
        if name in self.meters:
            return self.meters[name]
        raise AttributeError(name)

    def every(self, loader, header):
        for number, batch in enumerate(loader):
            yield batch
            print(header, number, ", ".join(f"{name}: {meter}" for name, meter in self.meters.items()))


def accuracy(output, target, topk=(1,)):
    _, pred = output.topk(max(topk), 1, True, True)
    correct = pred.t().eq(target.view(1, -1).expand_as(pred.t()))
    return [correct[:k].reshape(-1).float().sum(0) * 100.0 / target.size(0) for k in topk]


@torch.no_grad()
def evaluate(loader, model):
    criterion = nn.CrossEntropyLoss()
    logger = Logger()
    model.eval()
    for images, target in logger.every(loader, "test"):
        output = model(images)
        loss = criterion(output, target)
        acc1, acc2 = accuracy(output, target, topk=(1, 2))
        logger.update(loss=loss.item())
        logger.update(acc1=acc1.item(), acc2=acc2.item(), n=images.shape[0])
    told = "at 1 {top1.average:.3f} at 2 {top2.average:.3f} loss {loss}"
    print(told.format(top1=logger.acc1, top2=logger.acc2, loss=logger.loss))
    return {name: round(meter.average, 4) for name, meter in logger.meters.items()}


def main():
    dist.init_process_group("gloo")
    x = torch.sin(torch.arange(72.0)).reshape(24, 3)
    data = TensorDataset(x, (torch.arange(24) * 7) % 4)
    loader = DataLoader(data, batch_size=4, sampler=DistributedSampler(data, shuffle=False))
    model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 4))
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) * 1.3 + number).reshape(p.shape))
    model = DistributedDataParallel(model)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
    for images, target in loader:
        loss = criterion(model(images), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    found = evaluate(loader, model)
    if dist.get_rank() == 0:
        print(found)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
