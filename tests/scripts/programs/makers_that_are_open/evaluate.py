from typing import Callable

import torch


def evaluate(path: str, size: int, data: Callable, Model: torch.nn.Module, device: torch.device = torch.device("cpu")):
    model = Model(size).to(device)
    model.load_state_dict(torch.load(path, map_location=device))
    model.eval()
    return float(model(torch.Tensor(data(size)).to(device)).sum())
