import torch
from torch import nn, autograd
import torch.nn.functional as F


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + i).reshape(p.shape) * 0.5)


def d_logistic_loss(real_pred, fake_pred):
    real_loss = F.softplus(-real_pred)
    fake_loss = F.softplus(fake_pred)
    return real_loss.mean() + fake_loss.mean()


def d_r1_loss(real_pred, real_img):
    (grad_real,) = autograd.grad(outputs=real_pred.sum(), inputs=real_img, create_graph=True)
    grad_penalty = grad_real.pow(2).reshape(grad_real.shape[0], -1).sum(1).mean()
    return grad_penalty


generator = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 4))
discriminator = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
fill(generator)
fill(discriminator)
g_optim = torch.optim.Adam(generator.parameters(), lr=0.01)
d_optim = torch.optim.Adam(discriminator.parameters(), lr=0.01)
data = torch.cos(torch.arange(96).float()).reshape(4, 6, 4)
noise = torch.sin(torch.arange(72).float()).reshape(4, 6, 3)
for i in range(4):
    real_img = data[i]
    fake_img = generator(noise[i])
    fake_pred = discriminator(fake_img.detach())
    real_pred = discriminator(real_img)
    d_loss = d_logistic_loss(real_pred, fake_pred)
    discriminator.zero_grad()
    d_loss.backward()
    d_optim.step()
    if i % 2 == 0:
        real_img.requires_grad = True
        real_pred = discriminator(real_img)
        r1_loss = d_r1_loss(real_pred, real_img)
        discriminator.zero_grad()
        (5.0 * r1_loss * 2 + 0 * real_pred[0]).sum().backward()
        d_optim.step()
        print("r1", r1_loss.item())
    g_loss = F.softplus(-discriminator(generator(noise[i]))).mean()
    generator.zero_grad()
    g_loss.backward()
    g_optim.step()
    print(d_loss.item(), g_loss.item())
