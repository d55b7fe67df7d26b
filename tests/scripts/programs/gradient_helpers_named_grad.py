# also: nnx, linen
import torch
import torch.nn as nn


class PINN(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 20), nn.Tanh(), nn.Linear(20, 20), nn.Tanh(), nn.Linear(20, 1))

    def forward(self, x, t):
        return self.net(torch.cat([x, t], dim=1))


def grad(outputs, inputs):
    return torch.autograd.grad(outputs, inputs, grad_outputs=torch.ones_like(outputs), create_graph=True)[0]


def pde_residual(model, x, t, nu=0.01):
    u = model(x, t)
    u_t = grad(u, t)
    u_x = grad(u, x)
    u_xx = grad(u_x, x)
    return u_t + u * u_x - nu * u_xx

def fill(module):
    with torch.no_grad():
        for k, p in enumerate(module.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + k).reshape(p.shape) * 0.3)


def draw(n, m, s=1.0):
    return (torch.arange(n * m).float() * 0.61803 * s % 1).reshape(n, m)


torch.manual_seed(0)
model = PINN()
fill(model)
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
x_f = draw(64, 1, 1.3) * 2 - 1
t_f = draw(64, 1, 1.3)
x_f.requires_grad_(True)
t_f.requires_grad_(True)
x0 = draw(32, 1) * 2 - 1
t0 = torch.zeros(32, 1)
u0 = -torch.sin(torch.pi * x0)
for epoch in range(20):
    opt.zero_grad()
    loss_f = (pde_residual(model, x_f, t_f) ** 2).mean()
    loss_0 = ((model(x0, t0) - u0) ** 2).mean()
    loss = loss_f + loss_0
    loss.backward()
    opt.step()
    if epoch % 5 == 0:
        print(epoch, loss.item(), loss_f.item(), loss_0.item())
