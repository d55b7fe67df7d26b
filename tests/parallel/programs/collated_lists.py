"""Batches that are lists, which a function of the program makes: each process makes its own."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler


class Rows(Dataset):
    def __len__(self):
        return 16

    def __getitem__(self, i):
        return torch.full((4, 2), float(i) / 16), torch.tensor(float(i))


def collate(items):
    return [x for x, _ in items], torch.stack([y for _, y in items]), ["row"] * len(items)


def main():
    dist.init_process_group("gloo")
    data = Rows()
    loader = DataLoader(data, batch_size=2, sampler=DistributedSampler(data, shuffle=False), collate_fn=collate)
    net = nn.Linear(2, 1)
    with torch.no_grad():
        net.weight.fill_(0.1)
        net.bias.fill_(0.2)
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for xs, ys, _ in loader:
        out = torch.stack([model(x).sum() for x in xs])
        loss = nn.functional.mse_loss(out, ys)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(round(loss.item(), 4))
    print([round(v, 4) for v in net.weight.view(-1).tolist()])
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
