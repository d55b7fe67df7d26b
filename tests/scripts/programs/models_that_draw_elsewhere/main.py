"""One function trains models of another file, of which some draw random numbers and others do not."""

import torch
from models import Dropping, Plain, fill
from trainer import fit

x = torch.arange(6.0).reshape(2, 3) / 10
fit(fill(Dropping()), x, 2.0)
fit(fill(Plain()), x, 0.5)
fit(torch.nn.Sequential(fill(Plain())), x)
