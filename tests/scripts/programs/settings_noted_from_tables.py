"""Models that are given settings out of a table, by code outside of their class: which images they were trained on."""

import torch
import torch.nn as nn

SETTINGS = {
    "small": {
        "imagenet": {"url": "a", "input_space": "RGB", "input_size": [3, 8, 8], "input_range": [0, 1], "mean": [124 / 255, 0.5, -0.5], "std": [1 / 4] * 3, "num_classes": 4},
        "imagenet+5k": {"url": "b", "input_space": "BGR", "input_size": [3, 8, 8], "input_range": [0, 255], "mean": [0.5, 0.5, 0.5], "std": [0.25] * 3, "num_classes": 4},
    },
    "large": {
        "imagenet": {"url": "c", "input_space": "RGB", "input_size": [3, 16, 16], "input_range": [0, 1], "mean": [0.5, 0.5, 0.5], "std": [0.25] * 3, "num_classes": 4},
    },
}


class Net(nn.Module):
    def __init__(self, width, num_classes=4):
        super().__init__()
        self.input_size = (8, 8, 3)
        self.fc = nn.Linear(3, width)
        self.last_linear = nn.Linear(width, num_classes)

    def forward(self, x):
        return self.last_linear(torch.relu(self.fc(x)))


def initialize_pretrained_model(model, num_classes, settings):
    assert num_classes == settings["num_classes"], "num_classes should be {}".format(settings["num_classes"])
    for p in model.parameters():
        nn.init.constant_(p, 0.25)
    model.input_space = settings["input_space"]
    model.input_size = settings["input_size"]
    model.input_range = settings["input_range"]
    model.mean = settings["mean"]
    model.std = settings["std"]


def small(num_classes=4, pretrained="imagenet"):
    model = Net(5, num_classes)
    if pretrained is not None:
        settings = SETTINGS["small"][pretrained]
        initialize_pretrained_model(model, num_classes, settings)
    return model


def large(num_classes=4, pretrained="imagenet"):
    model = Net(7, num_classes)
    if pretrained is not None:
        initialize_pretrained_model(model, num_classes, SETTINGS["large"][pretrained])
    return model


def normalize(model, x):
    if max(model.input_range) == 255:
        x = x * 255
    if model.input_space == "BGR":
        x = x.flip(1)
    mean, std = torch.tensor(model.mean), torch.tensor(model.std)
    return (x - mean) / std


for model in (small(), small(pretrained="imagenet+5k"), large()):
    print(model.input_space, model.input_size[1:], max(model.input_range), len(model.mean))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001, weight_decay=0.1)
    x = torch.linspace(0, 1, 6).view(2, 3)
    for _ in range(3):
        loss = (model(normalize(model, x)) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(round(loss.item(), 3))
    print(len(list(model.state_dict())), model.mean, model.std)
print(small(pretrained=None).input_size)
