# also: nnx, linen
"""A momentum encoder that forward() updates before it uses it, with a factor of its own or one that it is given (MoCo)."""

import torch
import torch.nn as nn

class MoCo(nn.Module):
    def __init__(self, base_encoder, dim=3, K=6, m=0.9, T=0.5, mlp=False):
        super(MoCo, self).__init__()
        self.K = K
        self.m = m
        self.T = T
        self.encoder_q = base_encoder(num_classes=dim)
        self.encoder_k = base_encoder(num_classes=dim)
        for param_q, param_k in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            param_k.data.copy_(param_q.data)
            param_k.requires_grad = False
        self.register_buffer("queue", nn.functional.normalize(torch.randn(dim, K), dim=0))
        self.register_buffer("queue_ptr", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def _momentum_update_key_encoder(self):
        for param_q, param_k in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            param_k.data = param_k.data * self.m + param_q.data * (1. - self.m)

    @torch.no_grad()
    def _dequeue_and_enqueue(self, keys):
        batch_size = keys.shape[0]
        ptr = int(self.queue_ptr)
        assert self.K % batch_size == 0
        self.queue[:, ptr:ptr + batch_size] = keys.T
        ptr = (ptr + batch_size) % self.K
        self.queue_ptr[0] = ptr

    def forward(self, im_q, im_k):
        q = self.encoder_q(im_q)
        q = nn.functional.normalize(q, dim=1)
        with torch.no_grad():
            self._momentum_update_key_encoder()
            k = self.encoder_k(im_k)
            k = nn.functional.normalize(k, dim=1)
        l_pos = torch.einsum('nc,nc->n', [q, k]).unsqueeze(-1)
        l_neg = torch.einsum('nc,ck->nk', [q, self.queue.clone().detach()])
        logits = torch.cat([l_pos, l_neg], dim=1)
        logits /= self.T
        labels = torch.zeros(logits.shape[0], dtype=torch.long)
        self._dequeue_and_enqueue(k)
        return logits, labels

class WithMomentum(nn.Module):
    def __init__(self, base_encoder, dim=3, K=6, m=0.9, T=0.5, mlp=False):
        super().__init__()
        self.K = K
        self.m = m
        self.T = T
        self.encoder_q = base_encoder(num_classes=dim)
        self.encoder_k = base_encoder(num_classes=dim)
        for param_q, param_k in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            param_k.data.copy_(param_q.data)
            param_k.requires_grad = False
        self.register_buffer("queue", nn.functional.normalize(torch.randn(dim, K), dim=0))
        self.register_buffer("queue_ptr", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def _momentum_update_key_encoder(self, m):
        for param_q, param_k in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            param_k.data = param_k.data * m + param_q.data * (1. - m)

    @torch.no_grad()
    def _dequeue_and_enqueue(self, keys):
        batch_size = keys.shape[0]
        ptr = int(self.queue_ptr)
        assert self.K % batch_size == 0
        self.queue[:, ptr:ptr + batch_size] = keys.T
        ptr = (ptr + batch_size) % self.K
        self.queue_ptr[0] = ptr

    def forward(self, im_q, im_k, m):
        q = self.encoder_q(im_q)
        q = nn.functional.normalize(q, dim=1)
        with torch.no_grad():
            self._momentum_update_key_encoder(m)
            k = self.encoder_k(im_k)
            k = nn.functional.normalize(k, dim=1)
        l_pos = torch.einsum('nc,nc->n', [q, k]).unsqueeze(-1)
        l_neg = torch.einsum('nc,ck->nk', [q, self.queue.clone().detach()])
        logits = torch.cat([l_pos, l_neg], dim=1)
        logits /= self.T
        labels = torch.zeros(logits.shape[0], dtype=torch.long)
        self._dequeue_and_enqueue(k)
        return logits, labels

def encoder(num_classes):
    net = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, num_classes))
    return net
torch.manual_seed(0)
model = MoCo(encoder)
with torch.no_grad():
    for i, p in enumerate(model.encoder_q.parameters()):
        p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) + 0.05 * i)
    for i, k in enumerate(model.encoder_k.parameters()):
        k.copy_(torch.linspace(-0.5, 0.6, k.numel()).view(k.shape) + 0.05 * i)
    model.queue.copy_(nn.functional.normalize(torch.linspace(-1, 1, 18).view(3, 6), dim=0))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9, weight_decay=1e-4)
x = torch.linspace(-1, 1, 12).view(3, 4)
for e in range(3):
    loss = criterion(*model(im_q=x, im_k=x + 0.1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(e, loss.item(), sum(p.sum().item() for p in model.encoder_k.parameters()))

other = WithMomentum(encoder)
with torch.no_grad():
    for i, p in enumerate(other.parameters()):
        p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) + 0.05 * i)
    other.queue.copy_(nn.functional.normalize(torch.linspace(-1, 1, 18).view(3, 6), dim=0))
optimizer = torch.optim.SGD(other.encoder_q.parameters(), 0.1)
for e in range(3):
    moco_m = 0.9 + 0.01 * e
    output, target = other(x, x + 0.1, moco_m)
    loss = criterion(output, target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(e, loss.item(), sum(p.sum().item() for p in other.encoder_k.parameters()))
