import copy
import math
import torch
import torch.nn as nn
import torch.nn.functional as F


def clones(module, N):
    return nn.ModuleList([copy.deepcopy(module) for _ in range(N)])


def attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    p_attn = F.softmax(scores, dim=-1)
    if dropout is not None:
        p_attn = dropout(p_attn)
    return torch.matmul(p_attn, value), p_attn


class MultiHeadedAttention(nn.Module):
    def __init__(self, h, d_model, dropout=0.0):
        super().__init__()
        assert d_model % h == 0
        self.d_k = d_model // h
        self.h = h
        self.linears = clones(nn.Linear(d_model, d_model), 4)
        self.attn = None
        self.dropout = nn.Dropout(p=dropout)

    def forward(self, query, key, value, mask=None):
        if mask is not None:
            mask = mask.unsqueeze(1)
        nbatches = query.size(0)
        query, key, value = [
            l(x).view(nbatches, -1, self.h, self.d_k).transpose(1, 2) for l, x in zip(self.linears, (query, key, value))
        ]
        x, self.attn = attention(query, key, value, mask=mask, dropout=self.dropout)
        x = x.transpose(1, 2).contiguous().view(nbatches, -1, self.h * self.d_k)
        return self.linears[-1](x)


class SublayerConnection(nn.Module):
    def __init__(self, size, dropout):
        super().__init__()
        self.norm = nn.LayerNorm(size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, sublayer):
        return x + self.dropout(sublayer(self.norm(x)))


class EncoderLayer(nn.Module):
    def __init__(self, size, self_attn, feed_forward, dropout):
        super().__init__()
        self.self_attn = self_attn
        self.feed_forward = feed_forward
        self.sublayer = clones(SublayerConnection(size, dropout), 2)
        self.size = size

    def forward(self, x, mask):
        x = self.sublayer[0](x, lambda x: self.self_attn(x, x, x, mask))
        return self.sublayer[1](x, self.feed_forward)


class Encoder(nn.Module):
    def __init__(self, layer, N):
        super().__init__()
        self.layers = clones(layer, N)
        self.norm = nn.LayerNorm(layer.size)

    def forward(self, x, mask):
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=50):
        super().__init__()
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * -(math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        pe = pe.unsqueeze(0)
        self.register_buffer("pe", pe)

    def forward(self, x):
        x = x + self.pe[:, : x.size(1)].requires_grad_(False)
        return x


class Model(nn.Module):
    def __init__(self, vocab, d=8, h=2, N=2):
        super().__init__()
        c = copy.deepcopy
        attn = MultiHeadedAttention(h, d)
        ff = nn.Sequential(nn.Linear(d, 16), nn.ReLU(), nn.Linear(16, d))
        self.embed = nn.Embedding(vocab, d)
        self.pos = PositionalEncoding(d)
        self.encoder = Encoder(EncoderLayer(d, c(attn), c(ff), 0.0), N)
        self.gen = nn.Linear(d, vocab)

    def forward(self, x, mask):
        x = self.pos(self.embed(x) * math.sqrt(8))
        return F.log_softmax(self.gen(self.encoder(x, mask)), dim=-1)


def subsequent_mask(size):
    attn_shape = (1, size, size)
    return torch.triu(torch.ones(attn_shape), diagonal=1).type(torch.uint8) == 0


class LabelSmoothing(nn.Module):
    def __init__(self, size, padding_idx, smoothing=0.0):
        super().__init__()
        self.criterion = nn.KLDivLoss(reduction="sum")
        self.padding_idx = padding_idx
        self.confidence = 1.0 - smoothing
        self.smoothing = smoothing
        self.size = size
        self.true_dist = None

    def forward(self, x, target):
        assert x.size(1) == self.size
        true_dist = x.data.clone()
        true_dist.fill_(self.smoothing / (self.size - 2))
        true_dist.scatter_(1, target.data.unsqueeze(1), self.confidence)
        true_dist[:, self.padding_idx] = 0
        mask = torch.nonzero(target.data == self.padding_idx)
        if mask.dim() > 0:
            true_dist.index_fill_(0, mask.squeeze(), 0.0)
        self.true_dist = true_dist
        return self.criterion(x, true_dist.clone().detach())


def rate(step, model_size, factor, warmup):
    if step == 0:
        step = 1
    return factor * (model_size ** (-0.5) * min(step ** (-0.5), step * warmup ** (-1.5)))


V = 7
model = Model(V)
for i, p in enumerate(model.parameters()):
    nn.init.constant_(p, 0.0)
    with torch.no_grad():
        p.add_(0.4 * torch.sin(torch.arange(p.numel()).float() * 1.1 + i).view(p.shape))
criterion = LabelSmoothing(size=V, padding_idx=0, smoothing=0.1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.5, betas=(0.9, 0.98), eps=1e-9)
lr_scheduler = torch.optim.lr_scheduler.LambdaLR(
    optimizer=optimizer, lr_lambda=lambda step: rate(step, 8, factor=1.0, warmup=40)
)
model.train()
total_tokens = 0
for i in range(5):
    data = (torch.arange(12).view(2, 6) * (i + 1)) % (V - 1) + 1
    tgt, tgt_y = data[:, :-1], data[:, 1:]
    mask = (tgt != 0).unsqueeze(-2) & subsequent_mask(tgt.size(-1)).type_as((tgt != 0).data)
    ntokens = (tgt_y != 0).data.sum()
    out = model.forward(tgt, mask)
    sloss = criterion(out.contiguous().view(-1, out.size(-1)), tgt_y.contiguous().view(-1)) / ntokens
    sloss.backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    lr = optimizer.param_groups[0]["lr"]
    lr_scheduler.step()
    total_tokens += ntokens
    print("%d %.5f %6.1e %d" % (i, sloss.item(), lr, total_tokens))
model.eval()
ys = torch.zeros(1, 1).fill_(1).type_as(data.data)
for i in range(5):
    out = model(ys, subsequent_mask(ys.size(1)).type_as(data.data))
    _, next_word = torch.max(out[:, -1], dim=1)
    next_word = next_word.data[0]
    ys = torch.cat([ys, torch.zeros(1, 1).type_as(data.data).fill_(next_word)], dim=1)
print(ys.tolist())
