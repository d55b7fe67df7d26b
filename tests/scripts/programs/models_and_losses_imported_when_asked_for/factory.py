from importlib import import_module
import importlib


class LazyDict(dict):
    def __init__(self, table):
        self.table = table
        super().__init__()

    def __getitem__(self, key):
        if key in self:
            return super().__getitem__(key)
        module = importlib.import_module(self.table[key])
        if hasattr(module, "get_model"):
            made = module.get_model
        elif hasattr(module, key):
            made = getattr(module, key)
        else:
            raise AttributeError(key)
        self[key] = made
        return made


def create_model(name, n):
    module = import_module("models." + name)
    return module.get_model(n)


def create_loss(name):
    Loss = getattr(importlib.import_module("models." + name), "get_loss")
    return Loss()
