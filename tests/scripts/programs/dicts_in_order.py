import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self, weights):
        super().__init__()
        self.scales = {"z": 0.5, "a": 2.0}
        self.weights = weights
        self.fc = nn.Linear(6, 2)

    def forward(self, batch):
        given = torch.cat([value for name, value in batch.items() if name != "y"], dim=1)
        out = self.fc(given)
        parts = [out * scale for scale in self.scales.values()]
        return {"second": parts[0] + parts[1] * 2, "first": out}


@torch.compile
def described(sizes):
    return {"width": sizes["b"] * 2, "height": sizes["a"] + 1}, torch.stack(list(sizes.values()))


net = Net({"q": 1.0, "k": 0.5})
nn.init.constant_(net.fc.weight, 0.1)
nn.init.constant_(net.fc.bias, 0.2)
with torch.no_grad():
    net.fc.weight[0, :3] = 0.7
opt = torch.optim.SGD(net.parameters(), lr=0.1)
ramp = torch.linspace(-1, 1, 4).unsqueeze(1)
batch = {"zeta": ramp.repeat(1, 3), "alpha": ramp.repeat(1, 2) * 2, "mid": ramp**2, "y": torch.ones(4, 2)}
for _ in range(3):
    opt.zero_grad()
    out = net(batch)
    terms = {"mse": F.mse_loss(out["second"], batch["y"]), "l1": out["first"].abs().mean()}
    loss = sum(w * t for w, t in zip(net.weights.values(), terms.values()))
    loss.backward()
    opt.step()
    net.weights["k"] *= 0.5
    print(f"{loss.item():.5f}", {name: round(term.item(), 5) for name, term in terms.items()}, next(iter(terms)))
sizes, stacked = described({"b": torch.tensor(3.0), "a": torch.tensor(1.0)})
print(list(sizes), [float(size) for size in sizes.values()], stacked)
