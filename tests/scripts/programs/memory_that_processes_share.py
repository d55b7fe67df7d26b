# also: nnx, linen
"""What is put into shared memory stays what it is, where one process runs."""

import torch
import torch.nn as nn

net = nn.Linear(2, 3)
with torch.no_grad():
    for p in net.parameters():
        p.fill_(0.5)
net.share_memory()
kept = {"sum": torch.ones(2)}
kept["sum"].share_memory_()
zeros = torch.zeros(2).share_memory_()
more = kept["sum"].share_memory_() + 1
print(net(torch.ones(1, 2)).tolist(), kept["sum"].tolist(), zeros.tolist(), more.tolist())
