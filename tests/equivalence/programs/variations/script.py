# expect: equal
"""A script without functions."""

import torch
import torch.nn as nn

torch.manual_seed(1)

x = torch.linspace(-1, 1, 50).unsqueeze(1)
y = x.pow(3) - 0.5 * x + 0.1 * torch.randn(x.size())

model = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 1))
loss_fn = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

num_epochs = 30
loss_history = []
for epoch in range(num_epochs):
    y_pred = model(x)
    loss = loss_fn(y_pred, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    loss_history.append(loss.item())
    if epoch % 10 == 9:
        print(epoch, loss.item())

predicted = model(x).detach()
print("final error", ((predicted - y) ** 2).mean().item())
print("best", min(loss_history))
