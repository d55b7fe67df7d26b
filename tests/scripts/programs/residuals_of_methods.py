# also: nnx, linen
"""Objects that keep points which ask for gradients, and take derivatives by them in methods that call each other."""

import numpy as np
import torch
import torch.nn as nn


def network(layers):
    net = nn.Sequential(nn.Linear(layers[0], layers[1]), nn.Tanh(), nn.Linear(layers[1], layers[2]))
    for i, p in enumerate(net.parameters()):
        nn.init.constant_(p, 0.1 + 0.05 * i)
    return net


class Burgers:
    def __init__(self, points, u, inner, nu):
        self.x_u = torch.tensor(points[:, 0:1], requires_grad=True).float()
        self.t_u = torch.tensor(points[:, 1:2], requires_grad=True).float()
        self.x_f = torch.tensor(inner[:, 0:1], requires_grad=True).float()
        self.t_f = torch.tensor(inner[:, 1:2], requires_grad=True).float()
        self.u = torch.tensor(u).float()
        self.nu = nu
        self.net = network([2, 6, 1])
        self.optimizer = torch.optim.LBFGS(
            self.net.parameters(), lr=1.0, max_iter=4, tolerance_grad=1e-5, line_search_fn="strong_wolfe"
        )
        self.iter = 0

    def net_u(self, x, t):
        u = self.net(torch.cat([x, t], dim=1))
        return u

    def net_f(self, x, t):
        u = self.net_u(x, t)
        u_t = torch.autograd.grad(u, t, grad_outputs=torch.ones_like(u), retain_graph=True, create_graph=True)[0]
        u_x = torch.autograd.grad(u, x, grad_outputs=torch.ones_like(u), retain_graph=True, create_graph=True)[0]
        u_xx = torch.autograd.grad(u_x, x, grad_outputs=torch.ones_like(u_x), retain_graph=True, create_graph=True)[0]
        return u_t + u * u_x - self.nu * u_xx

    def loss_func(self):
        self.optimizer.zero_grad()
        u_pred = self.net_u(self.x_u, self.t_u)
        f_pred = self.net_f(self.x_f, self.t_f)
        loss = torch.mean((self.u - u_pred) ** 2) + torch.mean(f_pred**2)
        loss.backward()
        self.iter += 1
        print(self.iter, round(loss.item(), 4))
        return loss

    def train(self):
        self.net.train()
        self.optimizer.step(self.loss_func)

    def predict(self, points):
        x = torch.tensor(points[:, 0:1], requires_grad=True).float()
        t = torch.tensor(points[:, 1:2], requires_grad=True).float()
        self.net.eval()
        u, f = self.net_u(x, t), self.net_f(x, t)
        return u.detach().cpu().numpy(), f.detach().cpu().numpy()


def residual_of(x, net):
    u = net(x)
    du = torch.autograd.grad(u, x, torch.ones_like(u), create_graph=True, retain_graph=True)[0]
    u_x, u_y = du[:, 0].unsqueeze(-1), du[:, 1].unsqueeze(-1)
    u_xx = torch.autograd.grad(u_x, x, torch.ones_like(u_x), create_graph=True)[0][:, 0].unsqueeze(-1)
    u_yy = torch.autograd.grad(u_y, x, torch.ones_like(u_y), create_graph=True)[0][:, 1].unsqueeze(-1)
    return u_xx + u_yy


class Laplace:
    def __init__(self, net, lr=1e-2):
        self.net = net
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=lr)
        self.points = torch.linspace(0, 1, 16).reshape(8, 2)
        self.points.requires_grad = True
        self.history = []

    def residual(self):
        return residual_of(self.points, self.net)

    def fit(self, epochs):
        for _ in range(epochs):
            self.optimizer.zero_grad()
            r = self.residual()
            loss = (r**2).mean() + (self.net(torch.zeros(1, 2)) - 1).pow(2).mean()
            loss.backward()
            self.optimizer.step()
            self.history.append(round(loss.item(), 4))


class Flow:
    def __init__(self, x, y):
        self.x = torch.tensor(x, dtype=torch.float32, requires_grad=True)
        self.y = torch.tensor(y, dtype=torch.float32, requires_grad=True)
        self.net = network([2, 5, 2])
        self.null = torch.zeros((self.x.shape[0], 1))
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=0.01)
        self.mse = nn.MSELoss()
        self.iter = 0

    def function(self, x, y):
        res = self.net(torch.hstack((x, y)))
        psi, p = res[:, 0:1], res[:, 1:2]
        u = torch.autograd.grad(psi, y, grad_outputs=torch.ones_like(psi), create_graph=True)[0]
        v = -1.0 * torch.autograd.grad(psi, x, grad_outputs=torch.ones_like(psi), create_graph=True)[0]
        u_x = torch.autograd.grad(u, x, grad_outputs=torch.ones_like(u), create_graph=True)[0]
        u_xx = torch.autograd.grad(u_x, x, grad_outputs=torch.ones_like(u_x), create_graph=True)[0]
        p_x = torch.autograd.grad(p, x, grad_outputs=torch.ones_like(p), create_graph=True)[0]
        return u, v, p, u * u_x + v + p_x - 0.01 * u_xx

    def closure(self):
        self.optimizer.zero_grad()
        u, v, p, f = self.function(self.x, self.y)
        loss = self.mse(u, self.null + 1) + self.mse(f, self.null)
        loss.backward()
        self.iter += 1
        print("Iteration: {:}, Loss: {:0.4f}".format(self.iter, loss))
        return loss

    def train(self):
        self.net.train()
        for _ in range(3):
            self.optimizer.step(self.closure)


def training():
    rng = np.random.RandomState(0)
    points, inner = rng.rand(10, 2), rng.rand(12, 2)
    burgers = Burgers(points, np.sin(points[:, 0:1]), inner, 0.01 / np.pi)
    burgers.train()
    u, f = burgers.predict(inner)
    print(round(float(u.mean()), 3), round(float(f.mean()), 3))
    laplace = Laplace(network([2, 5, 1]))
    laplace.fit(4)
    print(laplace.history)
    flow = Flow([[0.1], [0.2], [0.3]], [[1.0], [2.0], [3.0]])
    flow.train()


training()
