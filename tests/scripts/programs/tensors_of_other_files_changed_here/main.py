# flagged: T2J303
# A tensor of another file is changed here by the name under which it was imported, and read there.
import torch
from state import show, total

total.add_(torch.ones(3))
print(show(), total.tolist())
