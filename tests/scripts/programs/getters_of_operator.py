# also: nnx
"""Functions of `operator` that read items and attributes of what holds tensors, which are then changed or asked as tensors are."""

import operator
from operator import attrgetter, itemgetter, methodcaller

import torch


def read(batch, place):
    get = itemgetter("x", "y")
    x, y = get(batch)
    x = x.clone()
    x[0] = 5.0
    first = itemgetter(place)(batch["pair"])
    n = operator.itemgetter("n")(batch)
    row = itemgetter(-1)(x + y * 0)
    row += 1
    print(first.sum().item(), n.float().mean().item(), row.tolist(), x.view(-1).tolist())
    part = itemgetter(1)(x)
    part += 1
    print(x.view(-1).tolist())
    return (x * y).sum()


def main():
    batch = {
        "x": torch.arange(4.0).reshape(2, 2),
        "y": torch.ones(2, 2),
        "n": torch.tensor([1, 2]),
        "pair": (torch.tensor([1, 2, 3]), 5),
    }
    print(read(batch, 0).item(), attrgetter("T")(batch["x"]).tolist())
    layer = torch.nn.Linear(2, 1)
    with torch.no_grad():
        attrgetter("weight")(layer).fill_(0.5)
        layer.bias.zero_()
    print(attrgetter("weight.data")(layer).view(-1).tolist(), layer(batch["x"]).sum().item())
    total = methodcaller("sum", dim=0)
    print(total(batch["x"]).size(0), total(batch["x"]).tolist())
    items = [("b", torch.tensor([2.0])), ("a", torch.tensor([1.0]))]
    values = list(map(itemgetter(1), items))
    print(values[0].size(0), torch.stack(values).view(-1).tolist())
    print([name for name, _ in sorted(items, key=itemgetter(0))])


main()
