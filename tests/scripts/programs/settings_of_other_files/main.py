import torch
from net import Configured, Net
from settings import TABLE, config_of


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + i).reshape(p.shape) * 0.3)


def train(net):
    fill(net)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    x = torch.cos(torch.arange(12.0)).reshape(3, 4)
    for step in range(2):
        opt.zero_grad()
        loss = (net(x) - 1).pow(2).mean()
        loss.backward()
        opt.step()
        print(step, loss.item())
    print([name for name, _ in net.named_parameters()], list(net.state_dict()))


for name in ["plain", "scaled", "both"]:
    train(Net(**TABLE[name]))
for name in ["plain", "scaled"]:
    train(Configured(config_of(name)))
