# also: nnx
"""Tensors made of arrays of NumPy that were transposed or cut are new ones, which may change in place."""

import numpy as np
import torch
from torch import nn


class STFT(nn.Module):
    def __init__(self, n, scale, window="hann"):
        super().__init__()
        basis = np.fft.fft(np.eye(n))
        cutoff = int(n / 2 + 1)
        basis = np.vstack([np.real(basis[:cutoff, :]), np.imag(basis[:cutoff, :])])
        forward_basis = torch.FloatTensor(basis[:, None, :])
        inverse_basis = torch.FloatTensor(np.linalg.pinv(scale * basis).T[:, None, :])
        if window is not None:
            fft_window = np.hanning(n)
            fft_window = torch.from_numpy(fft_window).float()
            forward_basis *= fft_window
            inverse_basis *= fft_window
        self.register_buffer("forward_basis", forward_basis.float())
        self.register_buffer("inverse_basis", inverse_basis.float())

    def forward(self, x):
        return (self.forward_basis[:, 0] @ x).sum() + self.inverse_basis.sum()


m = STFT(8, 2.0)
print(m(torch.arange(8.0)).item())
