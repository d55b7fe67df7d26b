# also: nnx, linen
"""Functions of a package that are asked for by their names, of which some make models that draw, and some do not."""

import torch
import models

model_names = sorted(
    name for name in models.__dict__ if name.islower() and not name.startswith("__") and callable(models.__dict__[name])
)


def build(arch, classes):
    print("=>", arch)
    model = models.__dict__[arch](classes=classes)
    return model


x = torch.linspace(-1, 1, 6).view(2, 3)
for arch in ["small", "tiny", "identity"]:
    model = build(arch, 2)
    with torch.no_grad():
        for p in model.parameters():
            p.fill_(0.5)
    print(model(x).tolist())
print(model_names)
