# also: nnx, linen
import torch.nn.functional as F
from common import data, make_model
from optim import build_optimizer, build_scheduler
from rates import get_lr

cfg = {"lr": 0.1, "sched": "cosine", "epochs": 6}
model = make_model()
optimizer = build_optimizer(model, cfg)
scheduler = build_scheduler(optimizer, cfg)
x, y = data()
for epoch in range(cfg["epochs"]):
    loss = F.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scheduler.step()
    print(epoch, loss.item(), get_lr(optimizer))
