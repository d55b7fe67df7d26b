# also: nnx, linen
import torch
from common import data, make_model
from engine import train
from adjusting import adjust_learning_rate
x, y = data()
a = make_model()
oa = torch.optim.SGD(a.parameters(), lr=0.1, momentum=0.9)
s = torch.optim.lr_scheduler.StepLR(oa, 1)
for e in range(5):
    adjust_learning_rate(oa, e, 0.1)
    s.step()
    print(train(a, oa, x, y), oa.param_groups[0]["lr"])
