"""Statistics of batches over the rows of all processes: the same as those of one process with all rows."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Stem(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(2)
        self.fc = nn.Linear(6, 3)

    def forward(self, x):
        return self.fc(self.norm(x))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = Stem()
        self.stem.fc = nn.Identity()
        self.body = nn.Sequential(nn.Conv1d(2, 3, 3), nn.BatchNorm1d(3), nn.ReLU(), nn.Flatten())
        self.norm = nn.SyncBatchNorm(3, momentum=None)
        self.head = nn.Linear(12, 1)

    def forward(self, x):
        x = self.body(self.stem(x))
        return self.head(self.norm(x.view(-1, 3, 4)).flatten(1))


def main():
    dist.init_process_group("gloo")
    world = dist.get_world_size()
    steps = torch.sin(torch.arange(16.0 * 2 * 6)).reshape(16, 2, 6)
    dataset = TensorDataset(steps, steps.mean((1, 2)).view(16, 1))
    loader = DataLoader(dataset, batch_size=8 // world, sampler=DistributedSampler(dataset, shuffle=False))
    model = Net()
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.cos(torch.arange(float(p.numel()))).reshape(p.shape) * 0.5)
    model = nn.SyncBatchNorm.convert_sync_batchnorm(model)
    model = DDP(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        for x, y in loader:
            loss = nn.functional.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            shown = loss.detach().clone()
            dist.all_reduce(shown)
            print(f"{shown.item() / world:.4f}")
    net = model.module
    print(
        [round(v, 4) for v in net.body[1].running_mean.tolist()],
        [round(v, 4) for v in net.body[1].running_var.tolist()],
    )
    print([round(v, 4) for v in net.norm.running_var.tolist()], [round(v, 4) for v in net.body[1].weight.tolist()])
    print(
        [round(v, 4) for v in net.stem.norm.running_var.tolist()], [round(v, 4) for v in net.stem.norm.weight.tolist()]
    )
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
