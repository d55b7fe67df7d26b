# flagged: T2J203
# A file that imports no torch finds an optimizer in what it is given.
import torch
from callbacks import Rates
from engine import Trainer
from torch import nn

model = nn.Linear(3, 1)
trainer = Trainer(model, [Rates()])
x = torch.cos(torch.arange(24.0) * 0.7).reshape(8, 3)
trainer.fit(x, x.sum(1, keepdim=True))
