# also: nnx
import torch
from trainer import Trainer

trainer = Trainer()
x = torch.arange(12.0).view(4, 3) / 12
for _ in range(3):
    print(trainer.step(x))
print(trainer.compute_loss(x).item(), trainer.seen)
