# also: nnx, linen
import torch
from torch import nn

torch.manual_seed(0)


class Mine(nn.Linear):
    def forward(self, input):
        return super().forward(input=input) + 1


class M(nn.Module):
    def __init__(self, norm=nn.LayerNorm):
        super().__init__()
        self.a = Mine(4, 4)
        self.norm = norm(4)
        self.lstm = nn.LSTM(4, 4)
        self.cell = nn.GRUCell(4, 4)
        self.enc = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True)
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(2)])
        for i, p in enumerate(self.parameters()):
            with torch.no_grad():
                p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))

    def forward(self, x):
        x = self.norm(input=self.a(input=x))
        for l in self.layers:
            x = l(input=x)
        o, (h, c) = self.lstm(input=x)
        o, (h, c) = self.lstm(input=x, hx=(h, c))
        k = self.cell(input=x[0], hx=h[0])
        e = self.enc(src=o)
        return o, h, k, e


m = M()
m.eval()
for v in m(torch.linspace(-1, 1, 24).reshape(2, 3, 4)):
    print([round(a, 4) for a in v.detach().flatten().tolist()])
net = nn.Sequential(nn.Linear(4, 2), nn.Tanh())
with torch.no_grad():
    net[0].weight.fill_(0.3)
    net[0].bias.fill_(0.3)
print([round(v, 4) for v in net(input=torch.ones(4)).tolist()])


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(10, 4)
        self.mix = nn.MultiheadAttention(4, 2, batch_first=True)
        self.pair = nn.Bilinear(4, 4, 2)
        self.act = nn.ELU(0.5)
        self.pool = nn.MaxPool1d(2)
        self.criterion = nn.CrossEntropyLoss()
        for p in self.parameters():
            with torch.no_grad():
                p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))

    def forward(self, x):
        h = self.embed(input=x)
        h, _ = self.mix(query=h, key=h, value=h, need_weights=False)
        pooled = self.pool(input=self.act(input=h))
        return pooled, self.pair(input1=h, input2=h + 1), self.criterion(target=x[:, 0] % 4, input=h[:, -1])


for v in Attention()(torch.arange(6).reshape(2, 3)):
    print([round(a, 4) for a in v.detach().flatten().tolist()])
x = torch.linspace(-2, 2, 6)
loss = nn.MSELoss(reduction="sum")(input=x, target=torch.zeros(6))
print(round(loss.item(), 4), [round(v, 4) for v in nn.ELU(0.5)(input=x).tolist()])
print([round(v, 4) for v in nn.GELU("tanh")(x).tolist()], [round(v, 4) for v in nn.Softplus(2.0)(x).tolist()])
