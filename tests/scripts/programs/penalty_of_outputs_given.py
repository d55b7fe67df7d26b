import torch
from torch import nn


class Solver:
    def __init__(self):
        self.device = torch.device("cpu")
        self.D = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
        with torch.no_grad():
            for i, p in enumerate(self.D.parameters()):
                p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + i).reshape(p.shape) * 0.5)
        self.opt = torch.optim.SGD(self.D.parameters(), lr=0.05)

    def gradient_penalty(self, y, x):
        """Compute gradient penalty: (L2_norm(dy/dx) - 1)**2."""
        weight = torch.ones(y.size()).to(self.device)
        dydx = torch.autograd.grad(
            outputs=y, inputs=x, grad_outputs=weight, retain_graph=True, create_graph=True, only_inputs=True
        )[0]
        dydx = dydx.view(dydx.size(0), -1)
        dydx_l2norm = torch.sqrt(torch.sum(dydx**2, dim=1))
        return torch.mean((dydx_l2norm - 1) ** 2)

    def train(self, data, fakes):
        for i in range(4):
            x_real, x_fake = data[i], fakes[i]
            out_real = self.D(x_real)
            loss_real = -torch.mean(out_real)
            out_fake = self.D(x_fake.detach())
            loss_fake = torch.mean(out_fake)
            alpha = torch.linspace(0, 1, x_real.size(0)).view(-1, 1)
            x_hat = (alpha * x_real.data + (1 - alpha) * x_fake.data).requires_grad_(True)
            out_src = self.D(x_hat)
            loss_gp = self.gradient_penalty(out_src, x_hat)
            loss = loss_real + loss_fake + 10 * loss_gp
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            print(loss.item(), loss_gp.item())


data = torch.cos(torch.arange(96).float()).reshape(4, 6, 4)
fakes = torch.sin(torch.arange(96).float()).reshape(4, 6, 4)
Solver().train(data, fakes)
