# also: nnx, linen
"""A walk down nested dicts by a name that a loop binds again: what it changes belongs to a field of the object."""
import torch
import torch.nn as nn


class Store:
    def __init__(self):
        self.tree = {"a": {"b": {}}, "c": {}}
        self.model = nn.Linear(2, 1)

    def put(self, path, value):
        node = self.tree
        for key in path[:-1]:
            node = node[key]
        node[path[-1]] = value

    def score(self, x):
        return self.model(x) + self.tree["a"]["b"]["w"]


torch.manual_seed(0)
store = Store()
with torch.no_grad():
    store.model.weight.fill_(0.5)
    store.model.bias.fill_(0.25)
store.put(["a", "b", "w"], 2.0)
store.put(["c", "v"], 3.0)
print(store.score(torch.ones(3, 2)).sum().item())
print(store.tree["c"]["v"], len(store.tree["a"]["b"]))
