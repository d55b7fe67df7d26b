# also: nnx, linen
import torch
import torch.nn as nn

net = nn.Sequential(
    nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 4), nn.LeakyReLU(0.1), nn.Sequential(nn.Linear(4, 2), nn.Softmax(dim=1))
)


def init_weights(m):
    classname = m.__class__.__name__
    if classname.find("Linear") != -1:
        nn.init.constant_(m.weight, 0.2)
        m.bias.data.fill_(0)
    elif classname == "LeakyReLU":
        print("leaky")
    elif classname.find("ReLU") != -1:
        print("relu")


net.apply(init_weights)
for m in net.modules():
    if m.__class__.__name__ in ("ReLU", "Softmax"):
        print(m.__class__.__name__)
n = 0
for name, m in net.named_modules():
    if type(m).__name__ == "Linear":
        n += 1
print(n, [round(v, 4) for v in net(torch.tensor([[1.0, 2.0]])).flatten().tolist()])
