# also: nnx, linen
import torch
from common import data, make_model
from saving import Trainer

x, y = data()


def build():
    model = make_model()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2, gamma=0.3)
    return Trainer(model, optimizer, scheduler)


t = build()
t.fit(x, y, 3)
t.save("ckpt.pt")
t.fit(x, y, 3)
u = build()
u.load("ckpt.pt")
u.fit(x, y, 3)
