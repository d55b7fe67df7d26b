# also: nnx
import torch


def filtered(x):
    xf = torch.fft.rfft(x, dim=1)
    freq = abs(xf)
    freq[0] = 0
    top, _ = torch.topk(freq, k=2)
    xf[freq <= top.min()] = 0
    return torch.fft.irfft(xf, dim=1)


def largest(x):
    size = abs(x)
    size[0] = 7.0

    return size.sum() + x.sum()


print(filtered(torch.sin(torch.arange(24.0)).reshape(2, 12)).abs().sum().item())
print(largest(torch.tensor([-1.5, 2.2, -3.7])).item())
