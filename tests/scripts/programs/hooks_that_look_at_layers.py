# also: nnx
"""Forward hooks of layers by name, in loops, in objects and in helpers: what they keep, change and are removed from."""

import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.conv = nn.Conv2d(a, b, 3, padding=1)
        self.bn = nn.BatchNorm2d(b)
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(self.bn(self.conv(x)))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(Block(1, 4), nn.MaxPool2d(2), Block(4, 4))
        self.layers = nn.ModuleList([nn.Linear(64, 64) for _ in range(2)])
        self.head = nn.Linear(64, 3)

    def forward(self, x):
        x = self.features(x).flatten(1)
        for layer in self.layers:
            x = torch.tanh(layer(x))
        return self.head(x)


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(4, 5, batch_first=True)

    def forward(self, x):
        return self.rnn(x)[0][:, -1]


class Watcher:
    def __init__(self, model):
        self.model = model
        self.seen = []
        for layer in self.model:
            layer.register_forward_hook(self.look)

    def look(self, module, inputs, output):
        self.seen.append(output.clone())

    def run(self, x):
        self.seen.clear()
        with torch.no_grad():
            self.model(x)
        return [item.sum().item() for item in self.seen]


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_((torch.arange(p.numel()).reshape(p.shape) % 7 - 3) * 0.05 + 0.01 * i)
    return model


def keep(name, kept):
    def hook(module, inputs, output):
        kept[name] = output.detach()

    return hook


def extract(model, layer, x):
    found = []
    handle = layer.register_forward_hook(lambda m, i, o: found.append(o.clone()))
    with torch.no_grad():
        model(x)
    handle.remove()
    return found[0]


def double(module, inputs):
    return (inputs[0] * 2,)


x = torch.arange(128.0).reshape(2, 1, 8, 8) / 64 - 1
model = fill(Net())
kept, shapes = {}, []

# by name and in a loop, in training and in evaluation
model.features[2].register_forward_hook(keep("features", kept))
handles = []
for name, layer in model.named_modules():
    if isinstance(layer, (nn.Conv2d, nn.Linear, nn.BatchNorm2d)):
        handles.append(
            layer.register_forward_hook(
                lambda m, i, o, name=name: shapes.append((name, tuple(i[0].shape), tuple(o.shape)))
            )
        )
print(model(x).sum().item(), kept["features"].sum().item())
for handle in handles:
    handle.remove()
model.eval()
print(model(x + 1).sum().item(), kept["features"].sum().item(), kept["features"].size(0))
for name, before, behind in shapes:
    print(name, *before, *behind)

# in a helper, in a loop over batches
print(extract(model, model.features[0].conv, x).sum().item(), extract(model, model.layers[1], x).sum().item())
logits = []
handle = model.head.register_forward_hook(lambda m, i, o: logits.append(o.detach().cpu()))
correct = 0
with torch.no_grad():
    for start in range(2):
        predicted = model(x + start).argmax(dim=1)
        correct += (predicted == torch.tensor([0, 2])).sum().item()
handle.remove()
print(correct, torch.cat(logits).sum().item())

# what a hook gives back is what goes in, or comes out
first = model.head.register_forward_pre_hook(double)
last = model.head.register_forward_hook(lambda m, i, o: o + 1)
print(model(x).sum().item())
first.remove()
print(model(x).sum().item())
last.remove()
print(model(x).sum().item())

net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
fill(net)
watcher = Watcher(net)
print(*watcher.run(torch.ones(2, 3)), *watcher.run(torch.ones(1, 3) * 2), len(watcher.seen))

tagger = Tagger()
fill(tagger)
states = {}
tagger.rnn.register_forward_hook(lambda m, i, o: states.update(h=o[0], c=o[1][1]))
print(tagger(torch.ones(2, 3, 4)).sum().item(), states["h"].sum().item(), states["c"].sum().item())
