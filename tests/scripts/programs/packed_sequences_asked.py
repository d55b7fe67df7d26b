# also: nnx
"""Packed sequences are asked what torch keeps of them, and classes of tensors are applied to lists by `map`."""

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pack_sequence, pad_packed_sequence

rnn = nn.GRU(2, 3)
with torch.no_grad():
    for i, p in enumerate(rnn.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.9 + i).view_as(p) * 0.5)
ps = pack_sequence([torch.ones(3, 2), torch.ones(2, 2) * 2])
out, hn = rnn(ps)
print(ps.batch_sizes.tolist(), out.data.shape, out.data.sum().item(), hn.sum().item())
x = torch.cos(torch.arange(24.0)).view(4, 3, 2)
packed = pack_padded_sequence(x, torch.tensor([2, 4, 3]), enforce_sorted=False)
print(
    packed.batch_sizes.tolist(),
    packed.sorted_indices.tolist(),
    packed.unsorted_indices.tolist(),
    packed.data[:, 0].tolist(),
)
print(torch.split(packed.data, packed.batch_sizes.tolist())[1].tolist())
y, lens = pad_packed_sequence(packed)
print(y.sum().item(), lens.tolist())
a, b = map(torch.LongTensor, [[1, 2], [3, 4]])
print((a + b).tolist(), [t.sum().item() for t in map(torch.FloatTensor, [[1, 2], [3.5]])])
