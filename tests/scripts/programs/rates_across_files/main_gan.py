# also: nnx, linen
import torch
from common import data, make_model
from torch.optim import lr_scheduler
from gan import GANTrainer

x, y = data()
g, d = make_model(), make_model()
og = torch.optim.Adam(g.parameters(), lr=0.01, betas=(0.5, 0.999))
od = torch.optim.Adam(d.parameters(), lr=0.02, betas=(0.5, 0.999))
t = GANTrainer(g, d, og, od, lr_scheduler.StepLR(og, 2, 0.5), lr_scheduler.StepLR(od, 3, 0.1))
for e in range(6):
    print(t.step(x, y), t.rates())
