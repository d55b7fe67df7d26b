# also: nnx
import torch
from torch import nn
from torch.autograd import grad


class PINN:
    def __init__(self):
        self.model = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
        for p in self.model.parameters():
            nn.init.constant_(p, 0.1)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-2)

    def residual(self, x, t):
        x.requires_grad_(True)
        t.requires_grad_(True)
        u = self.model(torch.cat([x, t], 1))
        u_t = grad(u, t, grad_outputs=torch.ones_like(u), create_graph=True)[0]
        u_x = grad(u, x, grad_outputs=torch.ones_like(u), create_graph=True)[0]
        return u_t + u * u_x

    def loss(self, xb, xc, tc):
        return (self.model(xb) ** 2).mean(), (self.residual(xc, tc) ** 2).mean()

    def train(self, data, epochs):
        for epoch in range(epochs):
            self.optimizer.zero_grad()
            a, b = self.loss(*data)
            loss = a + b
            loss.backward()
            self.optimizer.step()
            print(loss.item())


p = PINN()
p.train((torch.ones(3, 2), torch.linspace(0, 1, 4).unsqueeze(1), torch.linspace(0, 2, 4).unsqueeze(1)), 3)
