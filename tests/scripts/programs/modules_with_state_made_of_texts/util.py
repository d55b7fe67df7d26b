import importlib


def get_obj_from_str(string):
    module, cls = string.rsplit(".", 1)
    return getattr(importlib.import_module(module, package=None), cls)


def instantiate(config):
    return get_obj_from_str(config["target"])(**config.get("params", dict()))
