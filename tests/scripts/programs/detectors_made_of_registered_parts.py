# also: nnx, linen
"""Backbones that functions make, heads and detectors, which objects hold that decorators fill; the detector asks for its parts."""

import torch
from torch import nn


class Registry:
    def __init__(self, name):
        self._name = name
        self._obj_map = {}

    def _do_register(self, name, obj):
        assert name not in self._obj_map
        self._obj_map[name] = obj

    def register(self, obj=None):
        if obj is None:

            def deco(func_or_class):
                name = func_or_class.__name__
                self._do_register(name, func_or_class)
                return func_or_class

            return deco
        name = obj.__name__
        self._do_register(name, obj)

    def get(self, name):
        ret = self._obj_map.get(name)
        if ret is None:
            raise KeyError(name)
        return ret

    def __contains__(self, name):
        return name in self._obj_map


BACKBONE_REGISTRY = Registry("BACKBONE")
META_ARCH_REGISTRY = Registry("META_ARCH")
HEADS = Registry("HEADS")


class Backbone(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(3, width)
        self.bn = nn.BatchNorm1d(width)

    def forward(self, x):
        return torch.relu(self.bn(self.fc(x)))


@BACKBONE_REGISTRY.register()
def build_wide(cfg):
    return Backbone(cfg["width"] * 2)


@BACKBONE_REGISTRY.register()
def build_narrow(cfg):
    return Backbone(cfg["width"])


class Head(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        return self.out(x)


HEADS.register(Head)


@META_ARCH_REGISTRY.register()
class Detector(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.backbone = build_backbone(cfg)
        self.head = HEADS.get("Head")(self.backbone.fc.out_features)

    def forward(self, x, y):
        out = self.head(self.backbone(x))
        if self.training:
            return {"loss": (out - y).abs().mean()}
        return out


def build_backbone(cfg):
    backbone_name = cfg["backbone"]
    backbone = BACKBONE_REGISTRY.get(backbone_name)(cfg)
    return backbone


def build_model(cfg):
    meta_arch = cfg["arch"]
    model = META_ARCH_REGISTRY.get(meta_arch)(cfg)
    return model


def main(cfg):
    model = build_model(cfg)
    for i, p in enumerate(model.parameters()):
        p.data.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) + 0.05 * i)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x = torch.arange(12.0).view(4, 3) / 12
    y = torch.ones(4, 1)
    model.train()
    for _ in range(3):
        losses = model(x, y)
        optimizer.zero_grad()
        losses["loss"].backward()
        optimizer.step()
        print(losses["loss"].item())
    model.eval()
    print(model(x, y).sum().item())
    print("Detector" in META_ARCH_REGISTRY)


main({"arch": "Detector", "backbone": "build_wide", "width": 2})
main({"arch": "Detector", "backbone": "build_narrow", "width": 2})
