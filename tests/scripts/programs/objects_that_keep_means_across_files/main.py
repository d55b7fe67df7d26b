# also: nnx, linen
"""What an object of another file computes from a tensor is no share of it: the tensor may change afterwards."""

import torch
from notes import Notes

notes = Notes()
x = torch.ones(3, 2)
for i in range(3):
    notes.take(x)
    x += i
print(notes.sums, notes.means.tolist(), notes.ends, x.tolist())
