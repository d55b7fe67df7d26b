import torch
import torch.nn as nn


class Average(nn.Module):
    def __init__(self, kernel_size, stride):
        super().__init__()
        self.kernel_size = kernel_size
        self.avg = nn.AvgPool1d(kernel_size=kernel_size, stride=stride, padding=0)

    def forward(self, x):
        front = x[:, 0:1, :].repeat(1, (self.kernel_size - 1) // 2, 1)
        end = x[:, -1:, :].repeat(1, (self.kernel_size - 1) // 2, 1)
        x = torch.cat([front, x, end], dim=1)
        return self.avg(x.permute(0, 2, 1)).permute(0, 2, 1)


class Decompose(nn.Module):
    def __init__(self, kernel_size):
        super().__init__()
        self.average = Average(kernel_size, stride=1)

    def forward(self, x):
        mean = self.average(x)
        return x - mean, mean


class Many(nn.Module):
    def __init__(self, kernel_size):
        super().__init__()
        self.kernel_size = kernel_size
        self.decompose = [Decompose(kernel) for kernel in kernel_size]
        self.acts = {"relu": nn.ReLU(), "tanh": nn.Tanh()}
        self.lin = nn.Linear(3, 3)
        nn.init.constant_(self.lin.weight, 0.2)
        nn.init.constant_(self.lin.bias, 0.1)

    def forward(self, x):
        means, rest = [], []
        for func in self.decompose:
            season, mean = func(x)
            means.append(mean)
            rest.append(season)
        season = self.acts["relu"](self.lin(sum(rest) / len(rest)))
        return season, self.acts["tanh"](sum(means) / len(means))


net = Many([3, 5])
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.sin(torch.arange(2 * 7 * 3.0)).reshape(2, 7, 3)
for _ in range(2):
    opt.zero_grad()
    season, mean = net(x)
    loss = (season * mean).sum()
    loss.backward()
    opt.step()
    print(loss.item())
print(len(net.state_dict()))
