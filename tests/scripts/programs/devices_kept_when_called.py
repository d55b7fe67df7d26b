# also: nnx, linen
import torch
import torch.nn as nn


class Mic(nn.Module):
    def __init__(self, dim, device="cuda"):
        super().__init__()
        self.device = device
        self.conv = nn.Conv1d(dim, dim, 2)
        self.drop = nn.Dropout(0.0)
        nn.init.constant_(self.conv.weight, 0.1)
        nn.init.constant_(self.conv.bias, 0.2)

    def shifted(self, x):
        zeros = torch.zeros((x.shape[0], x.shape[1], 1), device=self.device)
        return self.drop(self.conv(torch.cat((zeros, x), dim=-1)))

    def forward(self, x):
        self.device = x.device
        mg = torch.tensor([], device=self.device)
        for i in range(2):
            mg = torch.cat((mg, self.shifted(x).unsqueeze(1).to(self.device)), dim=1)
        return mg.sum()


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.mic = nn.ModuleList([Mic(3, torch.device("cuda:0")) for _ in range(2)])

    def forward(self, x):
        return sum(mic(x) for mic in self.mic)


net = Model()
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(2):
    opt.zero_grad()
    loss = net(torch.ones(2, 3, 5))
    loss.backward()
    opt.step()
    print(loss.item())
