import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Doubling(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 1)
        self.is_first = dist.get_rank() == 0

    def forward(self, x):
        y = self.fc(x)
        if self.is_first:
            y = y * 2
        return y  # T2J508


def is_first():
    return dist.get_rank() == 0


def tripled(model, rows):
    error = model(rows).pow(2).mean()
    if is_first():
        error = error * 3
    return error  # T2J508


def in_the_step(model, optimizer, x):
    loss = model(x).pow(2).mean()
    if dist.get_rank() == 0:
        loss = loss * 3
    optimizer.zero_grad()
    loss.backward()  # T2J508
    optimizer.step()


def before_the_step(model, optimizer, x):
    main = dist.get_rank() == 0
    if main:
        part = x[:4]
    else:
        part = x[4:8]
    result = model(part).pow(2).mean()  # T2J508
    optimizer.zero_grad()
    result.backward()
    optimizer.step()
    if main:
        told = result.item()
        print(told)


def by_choice(model, optimizer, x):
    scale = 2.0 if os.environ["RANK"] == "0" else 1.0
    scaled = x * scale
    cost = model(scaled).pow(2).mean()  # T2J508
    optimizer.zero_grad()
    cost.backward()
    optimizer.step()


def in_a_container(model, optimizer, x):
    info = [dist.get_rank(), 4]  # T2J508
    given = x[info[0] * 4 : info[0] * 4 + info[1]]
    mean = model(given).pow(2).mean()
    optimizer.zero_grad()
    mean.backward()
    optimizer.step()


def in_a_helper(model, optimizer, x):
    found = tripled(model, x)
    optimizer.zero_grad()
    found.backward()  # T2J508
    optimizer.step()


def shared(model, optimizer, x):
    weights = torch.full((4, 1), 2.0) if dist.get_rank() == 0 else torch.zeros(4, 1)
    dist.broadcast(weights, src=0)
    is_parallel = int(os.environ.get("RANK", -1)) != -1
    if is_parallel:
        weights = weights * 2
    name = "first" if dist.get_rank() == 0 else "other"
    value = (model(x[:4]) * weights).pow(2).mean()
    optimizer.zero_grad()
    value.backward()
    optimizer.step()
    if dist.get_rank() == 0:
        print(name, value.item())
        model.eval()
        with torch.no_grad():
            output = model(x[4:])
            print(output.sum().item())


def main():
    dist.init_process_group("gloo")
    model = DistributedDataParallel(Doubling())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x = torch.ones(8, 3)
    for train in (0, 1):
        in_the_step(model, optimizer, x)
        before_the_step(model, optimizer, x)
        by_choice(model, optimizer, x)
        in_a_container(model, optimizer, x)
        in_a_helper(model, optimizer, x)
        shared(model, optimizer, x)
        print(train)


if __name__ == "__main__":
    main()
