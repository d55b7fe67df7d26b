# also: nnx, linen
import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).reshape(p.shape) * (1 + 0.1 * i))


class Net(nn.Module):
    def __init__(self, i=4, o=3):
        super().__init__()
        self.body = nn.Linear(i, 5)
        self.head = nn.Linear(5, o)

    def forward(self, x):
        return self.head(torch.tanh(self.body(x)))


class Attack:
    def __init__(self, model, eps):
        self.model = model
        self.eps = eps

    def run(self, images, labels, steps=3):
        images = images.clone().detach()
        images.requires_grad = True
        amplification = 0.0
        for _ in range(steps):
            if images.grad is not None:
                images.grad.detach_()
                images.grad.zero_()
            out = self.model(images)
            loss = F.cross_entropy(out, labels)
            loss.backward()
            noise = images.grad.data
            amplification += 0.02 * torch.sign(noise)
            cut = torch.clamp(abs(amplification) - self.eps, 0, 100.0) * torch.sign(amplification)
            images = images + 0.02 * torch.sign(noise) + cut
            images = torch.clamp(images, 0, 1)
            images = images.detach().requires_grad_(True)
        return images.detach()


def run(model, images, labels, steps=3):
    images.requires_grad = True
    for _ in range(steps):
        if images.grad is not None:
            images.grad.detach_()
            images.grad.zero_()
        out = model(images)
        loss = F.cross_entropy(out, labels)
        loss.backward()
        noise = images.grad.data
        images = images + 0.02 * torch.sign(noise)
        images = torch.clamp(images, 0, 1)
        images = images.detach().requires_grad_(True)
    return images.detach()


class VanillaGrad:
    def __init__(self, model):
        self.model = model
        self.model.eval()

    def generate(self, x, index=None):
        x = x.clone().requires_grad_(True)
        output = self.model(x)
        if index is None:
            index = output.argmax(dim=-1)[0].item()
        one_hot = torch.zeros_like(output)
        one_hot[0, index] = 1
        self.model.zero_grad()
        output.backward(gradient=one_hot, retain_graph=True)
        return x.grad[0]

    def second(self, x, index):
        x = x.clone().requires_grad_(True)
        output = self.model(x)
        score = output[:, index].squeeze()
        self.model.zero_grad()
        score.backward(retain_graph=True)
        return x.grad.data[0].abs()


def grad_of(model, x, y):
    x = x.clone().detach()
    x.requires_grad = True
    loss = F.cross_entropy(model(x), y)
    model.zero_grad()
    if x.grad is not None:
        x.grad.data.fill_(0)
    loss.backward()
    return x.grad.sign()


def train(model, loader, opt, eps):
    for x, t in loader:
        x = x.clone()
        x.requires_grad_()
        loss = F.cross_entropy(model(x), t)
        loss.backward()
        adv = torch.clamp(x + eps * x.grad.data.sign(), 0, 1).detach()
        opt.zero_grad()
        loss = F.cross_entropy(model(adv), t)
        loss.backward()
        opt.step()
        print(loss.item())


net = Net()
fill(net)
X = torch.linspace(0, 1, 16).reshape(4, 4)
y = torch.tensor([0, 1, 2, 1])
print(Attack(net, 0.03).run(X, y).sum().item())
print(run(net, X.clone().detach(), y).sum().item())
shown = VanillaGrad(net)
print(shown.generate(X[:1]).sum().item(), shown.generate(X[:1], 2).sum().item(), shown.second(X[:1], 1).sum().item())
print(grad_of(net, X, y).sum().item())
opt = torch.optim.SGD(net.parameters(), lr=0.1)
train(net, [(X, y), (X * 0.5, y)], opt, 0.1)
