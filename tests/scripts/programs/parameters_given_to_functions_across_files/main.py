# also: nnx, linen
import torch

from nn import scale_all
from train import Trainer

net = torch.nn.Linear(2, 2)
torch.nn.init.constant_(net.weight, 1.0)
torch.nn.init.constant_(net.bias, 2.0)
trainer = Trainer(net, 0.5)
trainer.run(torch.ones(3, 2), 3)
print(trainer.ema.weight.tolist(), trainer.model.bias.tolist())
scale_all(trainer.ema.parameters(), 2.0)
print(trainer.ema.weight.tolist())
