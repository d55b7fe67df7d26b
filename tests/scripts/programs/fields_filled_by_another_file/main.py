# also: nnx, linen
# Fields of plain objects that their class leaves empty, and that another file gives tensors.
import torch
from kept import Logged, Memory


def spread(logged):
    return logged.weights.squeeze(dim=-1).amax(dim=1, keepdim=True)


def remembered(memory):
    return memory.states.permute(2, 0, 1).contiguous().view(2, -1).mean(dim=-1)


logged, memory = Logged(), Memory()
logged.weights = torch.arange(1.0, 9.0).reshape(4, 2, 1)
memory.states = torch.arange(1.0, 9.0).reshape(4, 1, 2)
print(spread(logged).shape, spread(logged).sum().item())
print(remembered(memory).tolist())
