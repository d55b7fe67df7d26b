import torch

history = []


def note(log, h):
    log["n"] = log.get("n", 0) + 1
    history.append(log["n"])
    return h * log["n"]
