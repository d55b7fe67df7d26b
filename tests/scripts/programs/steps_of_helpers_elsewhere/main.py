# also: nnx, linen
import torch
import torch.nn.functional as F
from common import data, make_model
from agent import Agent
from clipping import update
from utils import descend
x, y = data()
a = Agent(make_model(), make_model())
for i in range(2):
    print(a.learn(x, y))
m = make_model()
o = torch.optim.SGD(m.parameters(), lr=0.01)
print(descend(m, o, x), descend(m, o, x))

net = make_model()
adam = torch.optim.Adam(net.parameters(), lr=0.02)
for i in range(3):
    loss = F.mse_loss(net(x), y)
    norm = update(net, adam, loss, 0.3)
    print(loss.item(), norm)
