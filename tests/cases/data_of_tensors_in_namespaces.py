"""Tensors of namespaces that other objects hold, whose data is changed by another name: nobody else would see the change."""

from types import SimpleNamespace

import torch


class Box:
    def __init__(self):
        self.ns = SimpleNamespace(a=torch.arange(4.0), b=torch.ones(4))


class Holder:
    def __init__(self, box):
        self.box = box

    def step(self):
        t = self.box.ns.a
        t.data.mul_(2)  # T2J303

    def cut(self):
        t = self.box.ns.b
        t.detach().add_(1)  # T2J303


box = Box()
holder = Holder(box)
holder.step()
holder.cut()
print(box.ns.a, box.ns.b)
