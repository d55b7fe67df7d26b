import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.drop, self.last = nn.Linear(2, 3), nn.Dropout(0.5), nn.Linear(3, 1)

    @classmethod
    def from_table(cls, table, transposed):
        model = cls()
        sd = model.state_dict()
        keys = [k for k in sd.keys() if not k.endswith(".skip")]
        assert len(keys) == len(table)
        for k in keys:
            if any(k.endswith(w) for w in transposed):
                assert table[k].shape[::-1] == sd[k].shape
                with torch.no_grad():
                    sd[k].copy_(torch.t(table[k]))
            else:
                with torch.no_grad():
                    sd[k].copy_(table[k])
        return model

    def forward(self, x):
        return self.last(self.drop(torch.tanh(self.first(x))))


table = {
    "first.weight": torch.arange(6.0).view(2, 3) / 10,
    "first.bias": torch.ones(3),
    "last.weight": torch.tensor([[0.5, -1.0, 2.0]]),
    "last.bias": torch.zeros(1),
}
model = Net.from_table(table, ["first.weight"])
model.drop, model.last = nn.Identity(), nn.Linear(3, 2)
with torch.no_grad():
    model.last.weight.fill_(0.5)
    model.last.bias.zero_()
print(model(torch.tensor([[1.0, 2.0]])).tolist())
print({k: tuple(v.shape) for k, v in model.state_dict().items()})
sd = model.state_dict()
with torch.no_grad():
    sd["first.bias"].copy_(torch.zeros(3))
print(model.first.bias.tolist())
