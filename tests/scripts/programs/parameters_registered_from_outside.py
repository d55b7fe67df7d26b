# also: nnx
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 1)
        with torch.no_grad():
            self.fc.weight.fill_(0.3)
            self.fc.bias.fill_(0.1)

    def forward(self, x):
        return self.fc(x)


x = torch.linspace(-1, 1, 12).view(4, 3)
net = Net()
scale = nn.Parameter(torch.tensor([2.0]))
net.register_parameter('scale', scale)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    opt.zero_grad()
    loss = (scale * net(x) - 1).pow(2).mean()
    loss.backward()
    opt.step()
    print("%.5f" % loss.item())
print(scale.tolist(), [n for n, _ in net.named_parameters()])
