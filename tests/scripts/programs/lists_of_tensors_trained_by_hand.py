import torch
import torch.nn.functional as F


def make(shape, i):
    n = 1
    for s in shape:
        n *= s
    return torch.cos(torch.arange(n, dtype=torch.float32) + i).reshape(shape) * 0.3


C = make((7, 3), 0)
W1 = make((9, 8), 1)
W2 = make((8, 7), 2)
b2 = make((7,), 3)
bngain = torch.ones((1, 8))
bnbias = torch.zeros((1, 8))
bnmean_running = torch.zeros((1, 8))
bnstd_running = torch.ones((1, 8))
parameters = [C, W1, W2, b2, bngain, bnbias]
print(sum(p.nelement() for p in parameters))
for p in parameters:
    p.requires_grad = True
X = torch.arange(60).reshape(20, 3) % 7
Y = torch.arange(20) * 3 % 7
lossi = []
ud = []
for i in range(6):
    ix = torch.arange(i, i + 8)
    Xb, Yb = X[ix], Y[ix]
    emb = C[Xb]
    embcat = emb.view(emb.shape[0], -1)
    hpreact = embcat @ W1
    bnmeani = hpreact.mean(0, keepdim=True)
    bnstdi = hpreact.std(0, keepdim=True)
    hpreact = bngain * (hpreact - bnmeani) / bnstdi + bnbias
    with torch.no_grad():
        bnmean_running = 0.9 * bnmean_running + 0.1 * bnmeani
        bnstd_running = 0.9 * bnstd_running + 0.1 * bnstdi
    h = torch.tanh(hpreact)
    logits = h @ W2 + b2
    loss = F.cross_entropy(logits, Yb)
    for p in parameters:
        p.grad = None
    loss.backward()
    lr = 0.1 if i < 4 else 0.01
    for p in parameters:
        p.data += -lr * p.grad
    lossi.append(loss.log10().item())
    print(round(loss.item(), 4))
print(round(sum(lossi), 4), round(bnmean_running.sum().item(), 4))
for i, p in enumerate(parameters):
    print(i, round(p.sum().item(), 3))
