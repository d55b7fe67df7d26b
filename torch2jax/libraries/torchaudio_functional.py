"""Functions of torchaudio.functional, in plain torch; read as text, and translated with the program that uses them."""

import math

import torch
import torch.nn.functional as F


def spectrogram(
    waveform: torch.Tensor,
    pad,
    window: torch.Tensor,
    n_fft,
    hop_length,
    win_length,
    power,
    normalized,
    center=True,
    pad_mode="reflect",
    onesided=True,
):
    if pad > 0:
        waveform = F.pad(waveform, (pad, pad), "constant")
    spec = torch.stft(
        waveform.reshape(-1, waveform.shape[-1]),
        n_fft,
        hop_length,
        win_length,
        window,
        center,
        pad_mode,
        normalized == "frame_length",
        onesided,
        return_complex=True,
    )
    spec = spec.reshape(waveform.shape[:-1] + spec.shape[-2:])
    if normalized is True or normalized == "window":
        spec = spec / window.pow(2.0).sum().sqrt()
    if power is None:
        return spec
    return spec.abs() if power == 1.0 else spec.abs().pow(power)


def hz_to_mel(freq, mel_scale):
    if mel_scale == "htk":
        return 2595.0 * math.log10(1.0 + freq / 700.0)
    if freq >= 1000.0:
        return 15.0 + math.log(freq / 1000.0) * 27.0 / math.log(6.4)
    return freq * 3.0 / 200.0


def mel_to_hz(mels: torch.Tensor, mel_scale):
    if mel_scale == "htk":
        return 700.0 * (10.0 ** (mels / 2595.0) - 1.0)
    above = 1000.0 * torch.exp(math.log(6.4) / 27.0 * (mels - 15.0))
    return torch.where(mels >= 15.0, above, mels * (200.0 / 3.0))


def melscale_fbanks(n_freqs, f_min, f_max, n_mels, sample_rate, norm=None, mel_scale="htk"):
    """Triangular filters: (n_freqs, n_mels)."""
    all_freqs = torch.linspace(0, sample_rate // 2, n_freqs)
    m_pts = torch.linspace(hz_to_mel(f_min, mel_scale), hz_to_mel(f_max, mel_scale), n_mels + 2)
    f_pts = mel_to_hz(m_pts, mel_scale)
    f_diff = f_pts[1:] - f_pts[:-1]
    slopes = f_pts.unsqueeze(0) - all_freqs.unsqueeze(1)
    down = (-1.0 * slopes[:, :-2]) / f_diff[:-1]
    up = slopes[:, 2:] / f_diff[1:]
    filters = torch.clamp(torch.minimum(down, up), min=0.0)
    if norm == "slaney":
        filters = filters * (2.0 / (f_pts[2:] - f_pts[:-2])).unsqueeze(0)
    return filters


def amplitude_to_DB(x: torch.Tensor, multiplier, amin, db_multiplier, top_db=None):
    x_db = multiplier * torch.log10(torch.clamp(x, min=amin)) - multiplier * db_multiplier
    if top_db is None:
        return x_db
    channels = x_db.shape[-3] if x_db.dim() > 2 else 1
    packed = x_db.reshape(-1, channels, x_db.shape[-2], x_db.shape[-1])
    lowest = packed.amax(dim=(-3, -2, -1), keepdim=True) - top_db
    return torch.maximum(packed, lowest).reshape(x_db.shape)


def create_dct(n_mfcc, n_mels, norm):
    """The matrix of a cosine transform: (n_mels, n_mfcc)."""
    n = torch.arange(float(n_mels))
    k = torch.arange(float(n_mfcc)).unsqueeze(1)
    dct = torch.cos(math.pi / float(n_mels) * (n + 0.5) * k)
    if norm is None:
        dct = dct * 2.0
    else:
        first = torch.where(k == 0, 1.0 / math.sqrt(2.0), 1.0)
        dct = dct * first * math.sqrt(2.0 / float(n_mels))
    return dct.t()


def mu_law_encoding(x: torch.Tensor, quantization_channels):
    mu = quantization_channels - 1.0
    x_mu = torch.sign(x) * torch.log1p(mu * torch.abs(x)) / math.log1p(mu)
    return ((x_mu + 1) / 2 * mu + 0.5).to(torch.int64)


def mu_law_decoding(x_mu: torch.Tensor, quantization_channels):
    mu = quantization_channels - 1.0
    x = (x_mu.float() / mu) * 2 - 1.0
    return torch.sign(x) * (torch.exp(torch.abs(x) * math.log1p(mu)) - 1.0) / mu


def sinc_width(orig_freq, new_freq, lowpass_filter_width, rolloff):
    """How far the kernels of a resampling reach."""
    return math.ceil(lowpass_filter_width * orig_freq / (min(orig_freq, new_freq) * rolloff))


def sinc_kernel(orig_freq, new_freq, lowpass_filter_width, rolloff):
    """The kernels of a resampling, one for each new sample: (new_freq, 1, width)."""
    base = min(orig_freq, new_freq) * rolloff
    width = sinc_width(orig_freq, new_freq, lowpass_filter_width, rolloff)
    kernels = []
    for phase in range(new_freq):
        row = []
        for place in range(-width, width + orig_freq):
            t = (place / orig_freq - phase / new_freq) * base
            t = min(max(t, -float(lowpass_filter_width)), float(lowpass_filter_width))
            window = math.cos(t * math.pi / lowpass_filter_width / 2) ** 2
            sinc = math.sin(t * math.pi) / (t * math.pi) if t != 0.0 else 1.0
            row.append(sinc * window * base / orig_freq)
        kernels.append([row])
    return torch.tensor(kernels)


def apply_sinc_kernel(waveform: torch.Tensor, orig_freq, new_freq, kernel: torch.Tensor, width):
    length = waveform.shape[-1]
    padded = F.pad(waveform.reshape(-1, length), (width, width + orig_freq))
    resampled = F.conv1d(padded.unsqueeze(1), kernel, stride=orig_freq)
    resampled = resampled.transpose(1, 2).reshape(padded.shape[0], -1)
    target = -(-new_freq * length // orig_freq)
    return resampled[:, :target].reshape(*waveform.shape[:-1], target)


def resample(waveform: torch.Tensor, orig_freq, new_freq, lowpass_filter_width=6, rolloff=0.99):
    if orig_freq == new_freq:
        return waveform
    common = math.gcd(int(orig_freq), int(new_freq))
    orig, new = int(orig_freq) // common, int(new_freq) // common
    kernel = sinc_kernel(orig, new, lowpass_filter_width, rolloff).to(waveform.dtype)
    width = sinc_width(orig, new, lowpass_filter_width, rolloff)
    return apply_sinc_kernel(waveform, orig, new, kernel, width)
