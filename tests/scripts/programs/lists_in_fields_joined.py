# Lists in fields and dictionaries that grow by `+=`, and are joined to one tensor under the same name.
# also: nnx, linen
import torch


class Rays:
    def __init__(self, n, split):
        self.directions = torch.arange(12.0).view(4, 3)
        if split == "train":
            self.rays = []
            self.colours = []
            for i in range(n):
                image = (torch.ones(3, 4) * i).view(3, -1).permute(1, 0)
                self.colours += [image]
                origin, direction = self.get(self.directions, i)
                self.rays += [torch.cat([origin, direction], 1)]
            self.rays = torch.cat(self.rays, 0)
            self.colours = torch.cat(self.colours, 0)

    def get(self, directions, i):
        return directions * i, directions.view(-1, 3)

    def __getitem__(self, i):
        return {"rays": self.rays[i], "colours": self.colours[i]}


def collected(n):
    found = {"a": [], "b": ()}
    for i in range(n):
        x = torch.full((2,), float(i))
        x += 1
        found["a"] += [x]
        found["b"] += (x * 2,)
    return found


def own(x):
    found = []
    found += [x]
    found += [x + 1]
    return torch.stack(found)


def rounds(x, n):
    outputs = []
    current = x
    for t in range(n):
        if t > 0:
            current = outputs[-1]
        outputs += [current * 2 + 1]
    outputs = torch.stack(outputs)
    return outputs


rays = Rays(2, "train")
print(tuple(rays.rays.shape), rays.rays.sum().item(), rays[3]["rays"].tolist(), rays[1]["colours"].tolist())
found = collected(3)
print(torch.stack(found["a"]).tolist(), torch.stack(found["b"]).sum().item())
x = torch.ones(2)
total = own(x)
x += 1
print(x.tolist(), total.tolist())
start = torch.ones(2)
ends = rounds(start, 3).view(-1)
start += 1
ends /= 2
print(ends.tolist(), start.tolist())
