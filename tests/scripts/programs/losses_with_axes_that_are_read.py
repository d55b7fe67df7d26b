# also: nnx, linen
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.linspace(-1, 1, p.numel()).view_as(p))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.arange(12.).reshape(4, 3).sin()
y = torch.tensor([0, 1, 1, 0])

def kl(z):
    k = z.pow(2) - 1
    return k.sum(1).mean(0, True), k.mean(0)

def detection(out, targets):
    lbox, lcls = torch.zeros(1), torch.zeros(1)
    lcls += F.cross_entropy(out, targets)
    lbox += (out ** 2).mean()
    lbox *= 0.5
    loss = lbox + lcls
    return loss, torch.cat((lbox, lcls, loss)).detach()

history = []
for i in range(3):  # an axis that is looked at behind
    loss, parts = detection(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    history.append(loss.data[0])
    print(loss.shape, ["%.4f" % v for v in parts.tolist()], "%.4f" % loss.item())
print(["%.4f" % float(h) for h in history])

for i in range(3):  # ranks nothing tells
    out = net(x)
    total, each = kl(out)
    loss = F.cross_entropy(out, y) + 0.1 * total
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print("%.4f" % loss[0].item(), "%.4f" % total[0].item(), loss.shape)

accumulate = 2
for i in range(4):  # several batches before each update
    loss, parts = detection(net(x[i:i + 1]), y[i:i + 1])
    loss.backward()
    if (i + 1) % accumulate == 0:
        lr = 0.1
        if i < 2:
            lr *= (i + 1) / 4
        for g in optimizer.param_groups:
            g['lr'] = lr
        optimizer.step()
        optimizer.zero_grad()
    print(parts.numpy().round(4).tolist(), "%.4f" % loss.item(), loss.detach().numpy().shape)

def train_epoch(model, opt, seen):
    model.train()
    total = torch.zeros(1)
    for i in range(2):
        opt.zero_grad()
        z = model(x)
        rec = ((z - 1) ** 2).mean(dim=(0, 1), keepdim=True)
        if i:
            rec = rec + z.abs().mean()
        rec.backward()
        opt.step()
        seen.append(rec.detach())
        total += rec.detach().view(1)
    return total / 2
seen = []
other = nn.Linear(3, 2)
nn.init.constant_(other.weight, 0.2)
nn.init.zeros_(other.bias)
print("%.4f" % train_epoch(other, torch.optim.Adam(other.parameters(), lr=0.1), seen).item(), [tuple(s.shape) for s in seen])
