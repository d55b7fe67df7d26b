# also: linen
import torch
from torch import nn
from torch.autograd import grad

net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + i).reshape(p.shape) * 0.5)
opt = torch.optim.Adam(net.parameters(), lr=0.02)


def train(real, gpu_mode, scale):
    x_hat = (real * 0.5 + 0.1).requires_grad_(True)
    pred_hat = net(x_hat)
    if gpu_mode:
        gradients = grad(
            outputs=pred_hat,
            inputs=x_hat,
            grad_outputs=torch.ones(pred_hat.size()).cuda(),
            create_graph=True,
            retain_graph=True,
            only_inputs=True,
        )[0]
    elif scale != 1:
        gradients = grad(
            outputs=pred_hat,
            inputs=x_hat,
            grad_outputs=scale * torch.ones(pred_hat.size()),
            create_graph=True,
            retain_graph=True,
            only_inputs=True,
        )[0]
    else:
        gradients = grad(
            outputs=pred_hat,
            inputs=x_hat,
            grad_outputs=torch.ones(pred_hat.size()),
            create_graph=True,
            retain_graph=True,
            only_inputs=True,
        )[0]
    penalty = 10 * ((gradients.view(gradients.size()[0], -1).norm(2, 1) - 1) ** 2).mean()
    opt.zero_grad()
    loss = penalty - pred_hat.mean()
    loss.backward()
    opt.step()
    return loss.item()


data = torch.cos(torch.arange(96).float()).reshape(4, 6, 4)
for i in range(4):
    print(train(data[i], False, 1 + i % 2))
