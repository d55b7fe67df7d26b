# also: nnx
import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, n)
        self.act = nn.ReLU()
        self.register_buffer("scale", torch.ones(1))

    def forward(self, x):
        return self.act(self.fc(x)) * self.scale


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.sizes = [3, 3]
        self.stem = nn.Conv2d(1, 3, 1)
        self.blocks = nn.ModuleList([Block(n) for n in self.sizes])
        self.head = nn.Sequential(nn.Linear(3, 2), nn.Dropout(0.5))
        self.table = nn.ModuleDict({"b": nn.Embedding(2, 3), "a": nn.LayerNorm(3)})

    def depth(self):
        return sum(1 for m in self.modules() if isinstance(m, nn.Linear))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def count(module):
    children = list(module.children())
    return 1 if not children else sum(count(child) for child in children)


net = Net()
print([name for name, _ in net.named_modules()])
print([name for name, _ in net.named_children()], net.depth())
print([type(m).__name__ for m in net.modules() if isinstance(m, (nn.Linear, nn.Conv2d, nn.LayerNorm, Block))])
print(count(net.head), len(list(net.blocks.children())), len(list(net.children())))
print([(name, tuple(b.shape)) for name, b in net.named_buffers()], [b.sum().item() for b in net.buffers()])

decay, rest = set(), set()
for mn, m in net.named_modules():
    for pn, p in m.named_parameters(recurse=False):
        full = f"{mn}.{pn}" if mn else pn
        if pn.endswith("bias") or isinstance(m, (nn.LayerNorm, nn.Embedding)):
            rest.add(full)
        else:
            decay.add(full)
print(sorted(decay), sorted(rest))
for name, module in net.named_modules():
    if isinstance(module, nn.Linear):
        print(name, module.in_features, module.out_features, tuple(module.weight.shape))
