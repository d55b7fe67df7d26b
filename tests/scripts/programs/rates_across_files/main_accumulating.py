# also: nnx, linen
import torch
import torch.nn.functional as F
from common import data, make_model
from helpers import backprop
x, y = data()
model = make_model()
opt = torch.optim.SGD(model.parameters(), lr=0.05)
for i in range(6):
    loss = F.mse_loss(model(x), y)
    backprop(loss, opt, model, i, accum=2)
    print(loss.item())
