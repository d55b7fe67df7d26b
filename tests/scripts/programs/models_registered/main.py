import torch

from models import create_model

for name in ("vit_s", "vit_b"):
    net = create_model(name)
    print(name, sum(p.numel() for p in net.parameters()), tuple(net(torch.ones(2, net.fc.in_features)).shape))
