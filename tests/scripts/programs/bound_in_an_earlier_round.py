import torch
import torch.nn as nn

net = nn.Linear(3, 2)
for i, p in enumerate(net.parameters()):
    p.data = torch.sin(torch.arange(p.numel()).float() + i).view(p.shape) * 0.2
opt = torch.optim.SGD(net.parameters(), lr=0.1)
y = torch.tensor([1, 0])
x = torch.cos(torch.arange(6.0)).view(2, 3)
for epoch in range(5):
    out = net(x)
    if epoch % 2 == 0:
        target = out.detach()
    loss = nn.functional.cross_entropy(out, y) + (out - target).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())


def fit(net, opt):
    seen = []
    for epoch in range(5):
        for k in range(2):
            if k == 0:
                noise = torch.sin(torch.arange(2.0) + epoch)
            loss = nn.functional.cross_entropy(net(x) + noise, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            seen.append(loss.item())
    return seen, noise.sum().item()


print(fit(net, opt))


def once(net, opt, flag):
    out = net(x)
    if flag:
        extra = out.pow(2).mean()
    loss = nn.functional.cross_entropy(out, y)
    if flag:
        loss = loss + extra
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


print(once(net, opt, True), once(net, opt, False))


def last(net, opt):
    for k in range(3):
        for row in x.split(1):
            prediction = net(row)
        loss = nn.functional.cross_entropy(prediction, y[1:])
        opt.zero_grad()
        loss.backward()
        opt.step()
    return prediction.sum().item(), loss.item()


print(last(net, opt))
