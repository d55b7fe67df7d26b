"""Parts of models that are exchanged, added, taken out and looked at from outside."""

import copy
from collections import OrderedDict

import torch
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 4), nn.ReLU())
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(2)])
        self.head = nn.Linear(4, 2)
        self.apply(fill)

    def forward(self, x):
        x = self.body(x)
        for layer in self.layers:
            x = layer(x)
        return self.head(x)


def fill(module):
    if isinstance(module, nn.Linear):
        nn.init.constant_(module.weight, 0.5)
        nn.init.constant_(module.bias, 0.25)


def three_way():
    layer = nn.Linear(4, 3)
    nn.init.constant_(layer.weight, 1.0)
    nn.init.zeros_(layer.bias)
    return layer


def case_other_head(x: Tensor):
    model = Net()
    model.head = three_way()
    return model(x)


def case_identity(x: Tensor):
    model = Net()
    model.head = nn.Identity()
    return model(x)


# random
def case_new_head(x: Tensor):
    model = Net()
    model.head = nn.Linear(model.head.in_features, 3)
    return model(x)


def case_element(x: Tensor):
    model = Net()
    model.layers[0] = nn.Identity()
    model.body[1] = nn.Tanh()
    return model(x)


def case_replaced_and_trained(x: Tensor):
    model = Net()
    model.head = three_way()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(2):
        optimizer.zero_grad()
        loss = (model(x) ** 2).mean()
        loss.backward()
        optimizer.step()
    return model.head.weight, model.body[0].weight


def case_setattr(x: Tensor):
    model = Net()
    setattr(model, "head", nn.Identity())
    return model(x)


def case_appended(x: Tensor):
    model = Net()
    model.layers.append(nn.Identity())
    return model(x)


def case_deleted(x: Tensor):
    model = Net()
    del model.layers[1]
    return model(x)


def case_slice_of_sequential(x: Tensor):
    net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    net.apply(fill)
    features = net[:2]
    return features(x), net[-1](features(x)), len(net), len(net[1:])


def case_children(x: Tensor):
    model = Net()
    names = [name for name, _ in model.named_children()]
    return names, len(list(model.children()))


def case_body_of_children(x: Tensor):
    net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    net.apply(fill)
    features = nn.Sequential(*list(net.children())[:-1])
    return features(x)


def case_counted_modules():
    model = Net()
    return sum(isinstance(m, nn.Linear) for m in model.modules())


def case_named_modules():
    model = Net()
    return [name for name, module in model.named_modules() if isinstance(module, nn.Linear)]


def case_ordered_dict(x: Tensor):
    net = nn.Sequential(OrderedDict([("fc", nn.Linear(3, 4)), ("act", nn.ReLU()), ("out", nn.Linear(4, 2))]))
    net.apply(fill)
    return net(x), net.fc.weight


def case_hook(x: Tensor):
    model = Net()
    seen = []
    model.head.register_forward_hook(lambda module, inputs, output: seen.append(output))  # T2J602
    return model(x)


def case_clones(x: Tensor):
    layer = nn.Linear(3, 3)
    fill(layer)
    layers = nn.ModuleList([copy.deepcopy(layer) for _ in range(2)])
    with torch.no_grad():
        layers[0].weight.zero_()
    return layers[0].weight, layers[1].weight


def case_part_of_state_dict():
    model, other = Net(), Net()
    with torch.no_grad():
        other.head.weight.zero_()
    model.head.load_state_dict(other.head.state_dict())
    return model.head.weight


def case_state_dict_without_head():
    model, other = Net(), Net()
    with torch.no_grad():
        other.body[0].weight.zero_()
    values = {k: v for k, v in other.state_dict().items() if not k.startswith("head.")}
    model.load_state_dict(values, strict=False)
    return model.body[0].weight, model.head.weight


def case_part_called(x: Tensor):
    model = Net()
    features = model.body(x)
    return features, model.layers[0](features)


def case_parts_read():
    model = Net()
    return model.head.in_features, model.head.out_features, len(model.layers), model.body[0].weight.shape[0]


class Noisy(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.5))
        self.head = nn.Sequential(nn.Linear(4, 2), nn.Dropout(0.5))
        self.apply(fill)

    def forward(self, x):
        return self.head(self.features(x))


class Rested(Noisy):
    def train(self, mode=True):
        super().train(mode)  # T2J603
        self.features.eval()  # T2J603
        return self


def case_part_evaluated(x: Tensor):
    model = Noisy()
    model.features.eval()
    model.head.eval()
    return model(x)


def case_evaluated_in_train(x: Tensor):
    model = Rested()
    model.eval()
    return model(x)


def case_layers_evaluated(x: Tensor):
    model = Noisy()
    for layer in (model.features, model.head):
        layer.eval()
    return model(x)


class Headless(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Net()
        self.net.head = nn.Identity()

    def forward(self, x):
        return self.net(x)


def without_head(model):
    model.head = nn.Identity()


def case_headless(x: Tensor):
    return Headless()(x)


def case_function_that_replaces(x: Tensor):
    model = Net()
    without_head(model)
    return model(x)


def case_frozen_but_for_the_new_head(x: Tensor):
    model = Net()
    for p in model.parameters():
        p.requires_grad = False
    model.head = three_way()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    for _ in range(2):
        optimizer.zero_grad()
        loss = (model(x) ** 2).mean()
        loss.backward()
        optimizer.step()
    return model.head.weight, model.body[0].weight, model.layers[1].bias
