# also: nnx, linen
"""A sequence model with attention: teacher forcing by round, masks, the best weights kept and loaded again."""

import math
import torch
import torch.nn as nn
from collections import deque, defaultdict


class Meter(object):
    def __init__(self):
        self.reset()

    def reset(self):
        self.val = 0
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n

    @property
    def avg(self):
        return self.sum / max(1, self.count)


class Encoder(nn.Module):
    def __init__(self, vocab, dim, hidden):
        super(Encoder, self).__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, hidden, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(hidden * 2, hidden)

    def forward(self, src, src_len):
        e = self.embed(src)
        out, h = self.rnn(e)
        h = torch.tanh(self.fc(torch.cat((h[-2, :, :], h[-1, :, :]), dim=1)))
        return (out, h)


class Attention(nn.Module):
    def __init__(self, hidden):
        super(Attention, self).__init__()
        self.attn = nn.Linear(hidden * 3, hidden)
        self.v = nn.Linear(hidden, 1, bias=False)

    def forward(self, h, enc, mask):
        T = enc.shape[1]
        hh = h.unsqueeze(1).repeat(1, T, 1)
        energy = torch.tanh(self.attn(torch.cat((hh, enc), dim=2)))
        score = self.v(energy).squeeze(2)
        score = score.masked_fill(mask == 0, -1e10)
        return score.softmax(dim=1)


class Decoder(nn.Module):
    def __init__(self, vocab, dim, hidden, attention):
        super(Decoder, self).__init__()
        self.vocab = vocab
        self.attention = attention
        self.embed = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(hidden * 2 + dim, hidden)
        self.out = nn.Linear(hidden * 3 + dim, vocab)

    def forward(self, inp, h, enc, mask):
        e = self.embed(inp.unsqueeze(0))
        a = self.attention(h, enc, mask).unsqueeze(1)
        w = torch.bmm(a, enc).permute(1, 0, 2)
        o, h = self.rnn(torch.cat((e, w), dim=2), h.unsqueeze(0))
        assert (o == h).all()
        p = self.out(torch.cat((o.squeeze(0), w.squeeze(0), e.squeeze(0)), dim=1))
        return (p, h.squeeze(0), a.squeeze(1))


class Seq2Seq(nn.Module):
    def __init__(self, enc, dec, pad, device):
        super(Seq2Seq, self).__init__()
        self.enc, self.dec, self.pad, self.device = enc, dec, pad, device

    def make_mask(self, src):
        return src != self.pad

    def forward(self, src, src_len, trg, ratio=0.5):
        B, T = trg.shape
        outputs = torch.zeros(T, B, self.dec.vocab).to(self.device)
        enc, h = self.enc(src, src_len)
        inp = trg[:, 0]
        mask = self.make_mask(src)
        for t in range(1, T):
            out, h, _ = self.dec(inp, h, enc, mask)
            outputs[t] = out
            force = (t % 2 == 0) if ratio > 0 else False
            inp = trg[:, t] if (force) else out.argmax(1)
        return outputs


def fill(m):
    for i, p in enumerate(m.parameters()):
        p.data = torch.sin(torch.arange(p.numel(), dtype=torch.float32) * (0.37 + 0.01 * i)).view_as(p) * 0.3
    return m


device = torch.device("cuda" if (torch.cuda.is_available()) else "cpu")
model = fill(Seq2Seq(Encoder(11, 6, 5), Decoder(11, 6, 5, Attention(5)), 0, device)).to(device)
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
crit = nn.CrossEntropyLoss(ignore_index=0)
data = [
    (
        torch.tensor([[1, 2, 3, 4, 0], [5, 6, 7, 0, 0]]),
        torch.tensor([5, 3]),
        torch.tensor([[1, 3, 5, 7], [1, 4, 2, 0]]),
    ),
    (
        torch.tensor([[9, 2, 3, 4, 5], [10, 6, 0, 0, 0]]),
        torch.tensor([5, 2]),
        torch.tensor([[1, 2, 2, 7], [1, 9, 0, 0]]),
    ),
]
hist = deque(maxlen=3)
best, stats = float("inf"), defaultdict(list)
for epoch in range(3):
    model.train()
    meter = Meter()
    for i, (src, n, trg) in enumerate(data):
        opt.zero_grad()
        out = model(src, n, trg)
        V = out.shape[-1]
        loss = crit(out[1:].view(-1, V), trg.t()[1:].reshape(-1))
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        meter.update(loss.item(), src.size(0))
        stats["norm"].append(float(norm))
    hist.append(meter.avg)
    model.eval()
    with torch.no_grad():
        val = sum(crit(model(s, n, t, 0)[1:].view(-1, 11), t.t()[1:].reshape(-1)).item() for s, n, t in data) / len(
            data
        )
    if val < best:
        best = val
        state = {k: v.clone() for k, v in model.state_dict().items()}
    print(epoch, round(meter.avg, 5), round(val, 5), round(math.exp(val), 4))
model.load_state_dict(state)
print(len(hist), round(sum(stats["norm"]), 5), round(best, 5), sum(v.sum().item() for v in state.values()))
