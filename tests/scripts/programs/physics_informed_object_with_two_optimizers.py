# also: nnx
import torch
import torch.nn as nn
import numpy as np

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def fill(module):
    with torch.no_grad():
        for k, p in enumerate(module.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + k).reshape(p.shape) * 0.3)


def draw(n, m, s=1.0):
    return (torch.arange(n * m).float() * 0.61803 * s % 1).reshape(n, m)


class DNN(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.depth = len(layers) - 1
        mods = []
        for i in range(self.depth - 1):
            mods.append(nn.Linear(layers[i], layers[i + 1]))
            mods.append(nn.Tanh())
        mods.append(nn.Linear(layers[-2], layers[-1]))
        self.layers = nn.Sequential(*mods)

    def forward(self, x):
        return self.layers(x)


class PhysicsInformedNN:
    def __init__(self, X, u, layers):
        self.x = torch.tensor(X[:, 0:1], requires_grad=True).float()
        self.t = torch.tensor(X[:, 1:2], requires_grad=True).float()
        self.u = torch.tensor(u).float()
        self.lambda_1 = torch.tensor([0.0], requires_grad=True).to(device)
        self.lambda_2 = torch.tensor([-6.0], requires_grad=True).to(device)
        self.lambda_1 = torch.nn.Parameter(self.lambda_1)
        self.lambda_2 = torch.nn.Parameter(self.lambda_2)
        self.dnn = DNN(layers)
        self.dnn.register_parameter("lambda_1", self.lambda_1)
        self.dnn.register_parameter("lambda_2", self.lambda_2)
        fill(self.dnn)
        self.optimizer = torch.optim.LBFGS(self.dnn.parameters(), lr=1.0, max_iter=6, max_eval=8, history_size=50, tolerance_grad=1e-5,
                                           tolerance_change=1.0 * np.finfo(float).eps, line_search_fn="strong_wolfe")
        self.optimizer_Adam = torch.optim.Adam(self.dnn.parameters())
        self.iter = 0

    def net_u(self, x, t):
        return self.dnn(torch.cat([x, t], dim=1))

    def net_f(self, x, t):
        lambda_1 = self.lambda_1
        lambda_2 = torch.exp(self.lambda_2)
        u = self.net_u(x, t)
        u_t = torch.autograd.grad(u, t, grad_outputs=torch.ones_like(u), retain_graph=True, create_graph=True)[0]
        u_x = torch.autograd.grad(u, x, grad_outputs=torch.ones_like(u), retain_graph=True, create_graph=True)[0]
        u_xx = torch.autograd.grad(u_x, x, grad_outputs=torch.ones_like(u_x), retain_graph=True, create_graph=True)[0]
        return u_t + lambda_1 * u * u_x - lambda_2 * u_xx

    def loss_func(self):
        u_pred = self.net_u(self.x, self.t)
        f_pred = self.net_f(self.x, self.t)
        loss = torch.mean((self.u - u_pred) ** 2) + torch.mean(f_pred ** 2)
        self.optimizer.zero_grad()
        loss.backward()
        self.iter += 1
        if self.iter % 3 == 0:
            print('Loss: %.4f, l1: %.3f, l2: %.3f' % (loss.item(), self.lambda_1.item(), torch.exp(self.lambda_2.detach()).item()))
        return loss

    def train(self, n):
        self.dnn.train()
        for epoch in range(n):
            u_pred = self.net_u(self.x, self.t)
            f_pred = self.net_f(self.x, self.t)
            loss = torch.mean((self.u - u_pred) ** 2) + torch.mean(f_pred ** 2)
            self.optimizer_Adam.zero_grad()
            loss.backward()
            self.optimizer_Adam.step()
            if epoch % 5 == 0:
                print("It: %d, Loss: %.3e, Lambda_1: %.3f, Lambda_2: %.6f" % (epoch, loss.item(), self.lambda_1.item(), torch.exp(self.lambda_2).item()))
        self.optimizer.step(self.loss_func)

    def predict(self, X):
        x = torch.tensor(X[:, 0:1], requires_grad=True).float()
        t = torch.tensor(X[:, 1:2], requires_grad=True).float()
        self.dnn.eval()
        u = self.net_u(x, t)
        f = self.net_f(x, t)
        u = u.detach().cpu().numpy()
        f = f.detach().cpu().numpy()
        return u, f


torch.manual_seed(0)
rng = np.random.RandomState(0)
X = rng.rand(50, 2)
u = np.sin(X[:, :1]) * X[:, 1:]
model = PhysicsInformedNN(X, u, [2, 16, 16, 1])
model.train(11)
a, b = model.predict(X[:5])
print(["%.3f" % v for v in a.ravel()], ["%.3f" % v for v in b.ravel()])

lambda_1_value = model.lambda_1.detach().cpu().numpy()
lambda_2_value = torch.exp(model.lambda_2).detach().cpu().numpy()
print("%.3f %.3f" % (lambda_1_value[0], lambda_2_value[0]))
