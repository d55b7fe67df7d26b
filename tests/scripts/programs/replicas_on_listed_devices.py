import torch
from torch import nn

ngpu = 1
device = torch.device("cuda:0" if torch.cuda.is_available() and ngpu > 0 else "cpu")
net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 1)).to(device)
with torch.no_grad():
    for k, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(float(p.numel())) * (0.3 + k)).reshape(p.shape))
if device.type == "cuda" and ngpu > 1:
    net = nn.DataParallel(net, list(range(ngpu)))
if torch.cuda.device_count() > 1:
    net = nn.DataParallel(net, device_ids=[i for i in range(torch.cuda.device_count())])
x = torch.sin(torch.arange(12.0)).reshape(4, 3).to(device)
print(net(x).flatten().tolist())
net.eval()
print(net(x).sum().item())
