import torch
import torch.fx


def trace(model: torch.nn.Module):
    return torch.fx.symbolic_trace(model)  # T2J200


empty = torch.nn.Module()  # T2J200
