from importlib import import_module
import importlib


def create_model(name, n):
    module = import_module("models." + name)
    return module.get_model(n)

def create_loss(name):
    Loss = getattr(importlib.import_module("models." + name), "get_loss")
    return Loss()

def create_if_there(name, n):
    module = importlib.import_module(f"models.{name}")
    if hasattr(module, "get_model"):
        return module.get_model(n)
    raise AttributeError(name)
