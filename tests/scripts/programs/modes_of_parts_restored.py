# also: nnx
"""Wrappers that evaluate the model they hold, and put it back into its mode; modes that are set side by side."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class LM(nn.Module):
    def __init__(self, n, dim):
        super().__init__()
        self.max_seq_len = 4
        self.emb = nn.Embedding(n, dim)
        self.drop = nn.Dropout(0.5)
        self.fc = nn.Linear(dim, n)

    def forward(self, x):
        return self.fc(self.drop(self.emb(x)))


class AutoregressiveWrapper(nn.Module):
    def __init__(self, net, ignore_index=-100, pad_value=0):
        super().__init__()
        self.pad_value = pad_value
        self.ignore_index = ignore_index
        self.net = net
        self.max_seq_len = net.max_seq_len

    @torch.no_grad()
    def generate(self, start_tokens, seq_len):
        was_training = self.net.training
        num_dims = len(start_tokens.shape)
        if num_dims == 1:
            start_tokens = start_tokens[None, :]
        b, t = start_tokens.shape
        self.net.eval()
        out = start_tokens
        for _ in range(seq_len):
            x = out[:, -self.max_seq_len :]
            logits = self.net(x)[:, -1, :]
            sample = logits.argmax(-1, keepdim=True)
            out = torch.cat((out, sample), dim=-1)
        out = out[:, t:]
        if num_dims == 1:
            out = out.squeeze(0)
        self.net.train(was_training)
        return out

    def forward(self, x):
        xi, xo = x[:, :-1], x[:, 1:]
        out = self.net(xi)
        return F.cross_entropy(out.transpose(1, 2), xo, ignore_index=self.ignore_index)


net = LM(7, 5)
other = LM(7, 5)
model = AutoregressiveWrapper(net)
with torch.no_grad():
    for i, p in enumerate(model.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).view(p.shape))
model.train(), other.train()
print(model.generate(torch.tensor([1, 2, 3]), 5).tolist(), model.training, model.net.training)
model.eval(), other.eval()
print(
    model(torch.tensor([[1, 2, 3, 4]])).item(),
    model.generate(torch.tensor([[1, 2], [5, 6]]), 3).tolist(),
    model.net.training,
)
print(other.training)
