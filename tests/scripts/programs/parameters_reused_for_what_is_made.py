# also: nnx, linen
import torch
import torch.nn as nn


def make(model, optimizer, loss):
    if model == 'mlp':
        model = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1))
    for p in model.parameters():
        nn.init.constant_(p, 0.2)
    if optimizer == 'adam':
        optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    elif optimizer == 'sgd':
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    if loss == 'mse':
        loss = nn.MSELoss()
    elif loss == 'l1':
        loss = nn.L1Loss()
    return model, optimizer, loss


net, opt, criterion = make('mlp', 'sgd', 'mse')
x = torch.linspace(-1, 1, 6).view(2, 3)
y = torch.ones(2, 1)
for _ in range(3):
    opt.zero_grad()
    loss = criterion(net(x), y)
    loss.backward()
    opt.step()
    print("%.5f" % loss.item())

