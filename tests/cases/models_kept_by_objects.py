# Objects and containers that keep models: they would keep the old ones. What is asked for its state dict may be an optimizer, too.
import torch
import torch.nn as nn


def save_all(path, **things):
    torch.save({name: thing.state_dict() for name, thing in things.items()}, path)  # T2J203


def save_listed(path, things):
    torch.save([thing.state_dict() for thing in things], path)  # T2J203


def state_of(thing):
    return thing.state_dict() if hasattr(thing, "state_dict") else thing  # T2J203


def load_all(saved, **models):
    for name, model in models.items():  # T2J303
        model.load_state_dict(saved[name])


def states_of_models(models):
    return {name: model.state_dict() for name, model in models.items()}


class Saver:
    def __init__(self, **things):
        self.things = things

    def save(self, path):
        torch.save({name: thing.state_dict() for name, thing in self.things.items()}, path)


class ListSaver:
    def __init__(self, things):
        self.things = things

    def save(self, path):
        torch.save([thing.state_dict() for thing in self.things], path)


def kept_in_dict(x, path):
    net = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    saver = Saver(net=net)  # T2J303
    for _ in range(3):
        loss = net(x).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    saver.save(path)


def kept_in_list(x, path):
    net = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    saver = ListSaver([net])  # T2J303
    for _ in range(3):
        loss = net(x).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    saver.save(path)


net = nn.Linear(2, 2)
optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
save_all("all.pt", net=net, optimizer=optimizer)
save_listed("listed.pt", [net, optimizer])
for item in (net, optimizer):
    torch.save(state_of(item), "item.pt")
load_all({}, net=net)
print(states_of_models({"net": net}))
kept_in_dict(torch.ones(1, 2), "kept.pt")
kept_in_list(torch.ones(1, 2), "kept.pt")


class Norms:
    def __init__(self, params, limit):
        self.params = [p for p in params if p.dim() > 1]
        self.limit = limit

    def exceeded(self):
        return any(p.detach().norm().item() > self.limit for p in self.params)


class Watched:
    def __init__(self, net):
        self.layers = {name: part for name, part in net.named_modules() if isinstance(part, nn.Linear)}

    def sizes(self):
        return {name: part.weight.norm().item() for name, part in self.layers.items()}


def watched(x):
    net = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    norms = Norms(net.parameters(), 1.0)  # T2J303
    parts = Watched(net)  # T2J303
    for _ in range(3):
        loss = net(x).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(norms.exceeded(), parts.sizes())


watched(torch.ones(1, 2))
