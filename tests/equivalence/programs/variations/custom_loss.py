# expect: equal
"""A loss function of the user, with label smoothing and an L2 term on one layer."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(6, 12)
        self.out = nn.Linear(12, 3)

    def forward(self, x):
        return self.out(F.leaky_relu(self.hidden(x), 0.1))


def smoothed_loss(logits, target, smoothing=0.1):
    logp = F.log_softmax(logits, dim=-1)
    nll = -logp.gather(1, target.unsqueeze(1)).squeeze(1)
    uniform = -logp.mean(dim=-1)
    return ((1 - smoothing) * nll + smoothing * uniform).mean()


def main():
    torch.manual_seed(0)
    x = torch.randn(30, 6)
    y = torch.randint(0, 3, (30,))
    model = Net()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    losses = []
    for _ in range(12):
        optimizer.zero_grad()
        logits = model(x)
        loss = smoothed_loss(logits, y) + 1e-3 * model.out.weight.pow(2).sum()
        loss.backward()
        optimizer.step()
        accuracy = (logits.argmax(dim=1) == y).float().mean().item()
        losses.append(loss.item())
        print(f"loss {loss.item():.4f} accuracy {accuracy:.2f}")
    return losses


if __name__ == "__main__":
    main()
