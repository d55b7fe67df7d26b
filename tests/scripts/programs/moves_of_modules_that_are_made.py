# also: nnx, linen
# Modules move themselves and their parts to a device while they are made.
import torch
import torch.nn as nn
class Net(nn.Module):
    def __init__(self, n, device="cuda" if torch.cuda.is_available() else "cpu"):
        super(Net, self).__init__()
        self.fc1 = nn.Linear(n, 4)
        self.device = device
        self.fc1.to(device)
        self.norm = nn.LayerNorm(4).to(device)
        self.cpu()
        self.cuda() if torch.cuda.is_available() else None
        if torch.cuda.is_available():
            self.cuda()
    def forward(self, x):
        return self.norm(self.fc1(x.to(self.device)))
net = Net(3).to("cpu")
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.linspace(-0.5, 0.5, p.numel()).reshape(p.shape))
print(net(torch.ones(2, 3)).pow(2).sum().item())
class Other(nn.Module):
    def __init__(self, n):
        super(Other, self).__init__()
        self.fc1 = nn.Linear(n, 4)
        self.device = torch.device('cuda:0' if torch.cuda.is_available() else 'cpu')
        self.to(self.device)
    def forward(self, x):
        return self.fc1(x.to(self.device))
other = Other(3)
with torch.no_grad():
    for p in other.parameters():
        p.copy_(torch.linspace(-0.5, 0.5, p.numel()).reshape(p.shape))
print(other(torch.ones(2, 3)).sum().item())
