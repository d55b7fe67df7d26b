"""Contrastive learning: embeddings of all processes, with gradients of all, of the own ones, or of none."""

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class GatherLayer(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        output = [torch.zeros_like(x) for _ in range(dist.get_world_size())]
        dist.all_gather(output, x)
        return tuple(output)

    @staticmethod
    def backward(ctx, *grads):
        every = torch.stack(grads)
        dist.all_reduce(every)
        return every[dist.get_rank()]


class GatherOwn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input):
        ctx.save_for_backward(input)
        output = [torch.zeros_like(input) for _ in range(dist.get_world_size())]
        dist.all_gather(output, input)
        return tuple(output)

    @staticmethod
    def backward(ctx, *grads):
        (input,) = ctx.saved_tensors
        grad_out = torch.zeros_like(input)
        grad_out[:] = grads[dist.get_rank()]
        return grad_out


@torch.no_grad()
def concat_all_gather(tensor):
    tensors = [torch.ones_like(tensor) for _ in range(dist.get_world_size())]
    dist.all_gather(tensors, tensor, async_op=False)
    return torch.cat(tensors, dim=0)


def gather_own(x):
    parts = [torch.zeros_like(x) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, x)
    parts[dist.get_rank()] = x
    return torch.cat(parts, dim=0)


class Loss(nn.Module):
    def forward(self, a, b):
        n = a.size(0)
        labels = torch.arange(n) + n * dist.get_rank()
        first = F.cross_entropy(a @ gather_own(b).T, labels)
        second = F.cross_entropy(b @ torch.cat(GatherLayer.apply(a), dim=0).T, labels)
        third = F.cross_entropy(a @ torch.cat(torch.distributed.nn.all_gather(b), dim=0).T, labels)
        fourth = F.cross_entropy(torch.tanh(b) @ torch.cat(GatherOwn.apply(a), dim=0).T, labels)
        return first + second + third + fourth + (concat_all_gather(a) ** 2).mean() * a.mean()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.left = nn.Linear(2, 3)
        self.right = nn.Linear(2, 3)
        self.loss = Loss()

    def forward(self, x):
        return self.loss(self.left(x), torch.tanh(self.right(x)))


def main():
    dist.init_process_group("gloo")
    rows = torch.sin(torch.arange(32.0)).reshape(16, 2)
    dataset = TensorDataset(rows)
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset, shuffle=False))
    net = Net()
    with torch.no_grad():
        for number, p in enumerate(net.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) + number).reshape(p.shape))
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
        print([[round(v, 4) for v in p.flatten().tolist()] for p in net.parameters()])
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
