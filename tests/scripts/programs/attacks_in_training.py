import torch
import torch.nn as nn
import torch.nn.functional as F

model = nn.Sequential(nn.Flatten(), nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 3))
for i, p in enumerate(model.parameters()):
    p.data.copy_(torch.sin(torch.arange(p.numel()).float() + i).view(p.shape) * 0.5)
X = (torch.sin(torch.arange(96.0)).view(6, 1, 4, 4) + 1) / 2
Y = torch.arange(6) % 3


def pgd(model, x, y, eps, alpha, iters):
    ori = x.data
    x = x.clone()
    for i in range(iters):
        x.requires_grad = True
        out = model(x)
        model.zero_grad()
        cost = F.cross_entropy(out, y)
        cost.backward()
        adv = x + alpha * x.grad.sign()
        eta = torch.clamp(adv - ori, min=-eps, max=eps)
        x = torch.clamp(ori + eta, min=0, max=1).detach_()
    return x


def pgd2(model, images, labels, eps=0.1, alpha=0.03, steps=3):
    adv = images.clone().detach()
    for _ in range(steps):
        adv.requires_grad = True
        outputs = model(adv)
        cost = F.cross_entropy(outputs, labels)
        grad = torch.autograd.grad(cost, adv, retain_graph=False, create_graph=False)[0]
        adv = adv.detach() + alpha * grad.sign()
        delta = torch.clamp(adv - images, min=-eps, max=eps)
        adv = torch.clamp(images + delta, min=0, max=1).detach()
    return adv


opt = torch.optim.SGD(model.parameters(), lr=0.1)
for attack in (0, 1):
    for epoch in range(3):
        x_adv = pgd(model, X, Y, 0.1, 0.03, 3) if attack == 0 else pgd2(model, X, Y)
        opt.zero_grad()
        loss = F.cross_entropy(model(x_adv), Y)
        loss.backward()
        opt.step()
        print(epoch, loss.item(), (x_adv - X).abs().max().item())
