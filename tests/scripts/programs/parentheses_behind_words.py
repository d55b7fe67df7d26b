# also: nnx
"""`if(x):`, `return(x)`, `not(x)`: what is exchanged may stand in parentheses right behind a word of the language."""

import torch


def choose(x):
    if torch.cuda.is_available():
        x = x + 1
    elif torch.is_tensor(x):
        x = x * 2
    while torch.any(x > 5):
        x = x - 1
    assert torch.all(x < 100)
    y = x if (torch.all(x > 0)) else (torch.zeros(2))
    z = not (torch.any(x > 3)) and (torch.all(x < 9)) or (torch.any(x > 1))
    rows = [a for a in (torch.unbind(x)) if (torch.is_tensor(a))]
    make = lambda: torch.ones(2)
    with torch.no_grad():
        x = x + 1
    inside = 1 in (x.size())
    outside = 1 not in (x.size())
    return (torch.sum(x)), y, bool(z), len(rows), make(), inside, outside


def parts(x):
    yield (torch.sum(x))
    yield from (torch.unbind(x))
    if not (torch.is_tensor(x)):
        raise (ValueError("no tensor"))


def count(x):
    return x.dim() + x.size(0)


for value in choose(torch.tensor([1.0, 9.0])):
    print(value)
for value in parts(torch.tensor([1.0, 2.0])):
    print(value.item())
print(count(torch.ones(3)))
