# also: nnx, linen
"""Models, losses, data and metrics that are asked for by names, each of a registry of its own."""

import torch
from torch.utils.data import DataLoader
from build import build_network, build_loss, build_dataset, calculate_metric


def fill(net):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-0.5, 0.5, p.numel()).reshape(p.shape) + 0.1 * i)


def train(opt):
    net = build_network(opt["network"])
    fill(net)
    criterion = build_loss(opt["loss"])
    loader = DataLoader(build_dataset(opt["data"]), batch_size=4, shuffle=False)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    for epoch in range(2):
        net.train()
        for batch in loader:
            optimizer.zero_grad()
            out = net(batch["lq"])
            loss = criterion(out, batch["gt"])
            loss.backward()
            optimizer.step()
        print(f"{loss.item():.5f}")
    net.eval()
    with torch.no_grad():
        for batch in loader:
            out = net(batch["lq"])
            print(calculate_metric(dict(img=out, img2=batch["gt"]), opt["metric"]))


train(
    {
        "network": {"type": "ResNet", "num_in": 3, "num_block": 1},
        "loss": {"type": "L1Loss", "loss_weight": 2.0},
        "data": {"type": "LineDataset", "n": 8},
        "metric": {"type": "calculate_err"},
    }
)
train(
    {
        "network": {"type": "Plain", "num_in": 3},
        "loss": {"type": "MSELoss"},
        "data": {"type": "LineDataset", "n": 8},
        "metric": {"type": "calculate_mse", "scale": 2.0},
    }
)
