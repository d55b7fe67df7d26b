# also: nnx, linen
# Parts of names that other files give.
import torch

from recurrent import M


torch.manual_seed(0)
m = M("GRU", 2, True)
for p in m.parameters():
    p.data.copy_(torch.linspace(-1, 1, p.numel()).view(p.shape))
print(m(torch.ones(2, 3)).sum().item(), m.rnn_type)
m = M("GRU", 2, False)
for p in m.parameters():
    p.data.copy_(torch.linspace(-1, 1, p.numel()).view(p.shape))
print(m(torch.ones(2, 1, 3)).sum().item())
