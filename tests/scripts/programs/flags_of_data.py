# also: nnx
"""Data that are told to need no gradient: a table of positions, targets of a loss."""

import torch
from torch import nn


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len, device):
        super(PositionalEncoding, self).__init__()
        self.encoding = torch.zeros(max_len, d_model, device=device)
        self.encoding.requires_grad = False  # we don't need to compute gradient

        pos = torch.arange(0, max_len, device=device)
        pos = pos.float().unsqueeze(dim=1)
        _2i = torch.arange(0, d_model, step=2, device=device).float()
        self.encoding[:, 0::2] = torch.sin(pos / (10000 ** (_2i / d_model)))
        self.encoding[:, 1::2] = torch.cos(pos / (10000 ** (_2i / d_model)))

    def forward(self, x):
        batch_size, seq_len = x.size()
        return self.encoding[:seq_len, :]


class Loss(nn.Module):
    def forward(self, model_output, targets):
        mel_target, gate_target = targets[0], targets[1]
        mel_target.requires_grad = False
        gate_target.requires_grad = False
        return nn.MSELoss()(model_output, mel_target)


pe = PositionalEncoding(4, 6, "cpu")
print(pe(torch.zeros(2, 3)).sum().item())
data = torch.arange(4.0)
data.requires_grad = False
print(data.mean().item())
print(Loss()(torch.ones(2), (torch.zeros(2), torch.zeros(3))).item())
