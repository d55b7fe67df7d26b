# flagged: T2J301, T2J303
import torch


def run(parts, x):
    found = 0
    for part in parts:
        found += part(x)
    first = found
    found += torch.ones(3)
    return first, found


def run2(parts, x, seen):
    found = 0
    for part in parts:
        found += part(x)
        seen.append(found)
    found += torch.ones(3)
    return found


a, b = run([torch.sin, lambda v: v * 2], torch.arange(3.0))
print(a.tolist(), b.tolist())
seen = []
c = run2([torch.sin, lambda v: v * 2], torch.arange(3.0), seen)
print([s.tolist() for s in seen], c.tolist())
