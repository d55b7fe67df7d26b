# also: nnx
"""What load_state_dict says: names that a file lacks, and names that the model lacks."""

import tempfile

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.bn = nn.BatchNorm1d(2)
        self.register_buffer("scale", torch.tensor([2.0]))

    def forward(self, x):
        return self.bn(self.fc(x)) * self.scale


def load_weights(model, path, prefix=""):
    state = torch.load(path, map_location="cpu")
    state = {k.replace(prefix, ""): v for k, v in state.items()}
    msg = model.load_state_dict(state, strict=False)
    print("loaded with", len(msg.missing_keys), len(msg.unexpected_keys))
    assert set(msg.missing_keys) <= {"bn.weight", "bn.bias"}


def take_over(model, values):
    missing, unexpected = model.load_state_dict(values, strict=False)
    if len(missing) > 0:
        print("missing:", missing)
    if len(unexpected) > 0:
        print("unexpected:", unexpected)
    return model


def filled(value):
    net = Net()
    with torch.no_grad():
        for p in net.parameters():
            p.fill_(value)
    return net


net = filled(0.5)
path = tempfile.mkdtemp() + "/net.pt"
kept = {f"module.{k}": v for k, v in net.state_dict().items() if k not in ("bn.weight", "bn.bias")}
torch.save(kept, path)
other = filled(0.25)
load_weights(other, path, "module.")
print([round(v, 4) for p in other.parameters() for v in p.flatten().tolist()])
other = take_over(filled(1.0), {"fc.weight": torch.zeros(2, 2), "head.weight": torch.ones(1)})
print(other.fc.weight.sum().item(), other.fc.bias.sum().item())
print(other.load_state_dict(net.state_dict()))
print(f"{other.fc.load_state_dict({'weight': torch.ones(2, 2), 'bias': torch.ones(2)})} for a part")
print(round(other(torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum().item(), 3), other.bn.num_batches_tracked.item())
