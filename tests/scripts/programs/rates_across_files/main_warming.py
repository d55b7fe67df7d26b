# also: nnx, linen
import torch
from torch import optim
import torch.nn.functional as F
from common import data, make_model
from warming import WarmUpLR

def train(epoch):
    net.train()
    for a, b in zip(x.split(2), y.split(2)):
        optimizer.zero_grad()
        loss = F.mse_loss(net(a), b)
        loss.backward()
        optimizer.step()
        print("Loss {:.4f} LR {:.6f}".format(loss.item(), optimizer.param_groups[0]["lr"]))
        if epoch <= 1:
            warmup_scheduler.step()

x, y = data()
net = make_model()
optimizer = optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4)
train_scheduler = optim.lr_scheduler.MultiStepLR(optimizer, milestones=[3, 4], gamma=0.2)
warmup_scheduler = WarmUpLR(optimizer, 3 * 1)
for epoch in range(1, 6):
    if epoch > 1:
        train_scheduler.step(epoch)
    train(epoch)
