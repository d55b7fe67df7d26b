"""A trainer of another file is given its model by a method, and the model is used behind that."""

import torch
from models import Net, Trainer
from torch import nn

x = torch.linspace(-1, 1, 48).reshape(16, 3)
y = x.prod(1, keepdim=True)
model = Net()
for i, p in enumerate(model.parameters()):
    nn.init.constant_(p, 0.1 * (i + 1))
trainer = Trainer(lr=0.05)
trainer.setup(model)
trainer.fit([(x[:8], y[:8]), (x[8:], y[8:])])
trainer.fit([(x[:8], y[:8])])
model.eval()
print(model(x).sum().item())
