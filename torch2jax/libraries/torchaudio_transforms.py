"""Transforms of torchaudio, in plain torch; read as text, and translated with the program that uses them."""

import math

import torch
import torch.nn as nn

from torch2jax.libraries.torchaudio_functional import (
    amplitude_to_DB,
    apply_sinc_kernel,
    melscale_fbanks,
    mu_law_decoding,
    mu_law_encoding,
    sinc_kernel,
    sinc_width,
    spectrogram,
)


class Spectrogram(nn.Module):
    def __init__(
        self,
        n_fft=400,
        win_length=None,
        hop_length=None,
        pad=0,
        window_fn=torch.hann_window,
        power=2.0,
        normalized=False,
        *,
        center=True,
        pad_mode="reflect",
        onesided=True,
    ):
        super().__init__()
        self.n_fft = n_fft
        self.win_length = win_length if win_length is not None else n_fft
        self.hop_length = hop_length if hop_length is not None else self.win_length // 2
        self.register_buffer("window", window_fn(self.win_length))
        self.pad = pad
        self.power = power
        self.normalized = normalized
        self.center = center
        self.pad_mode = pad_mode
        self.onesided = onesided

    def forward(self, waveform: torch.Tensor):
        return spectrogram(
            waveform,
            self.pad,
            self.window,
            self.n_fft,
            self.hop_length,
            self.win_length,
            self.power,
            self.normalized,
            self.center,
            self.pad_mode,
            self.onesided,
        )


class MelScale(nn.Module):
    def __init__(self, n_mels=128, sample_rate=16000, f_min=0.0, f_max=None, n_stft=201, norm=None, mel_scale="htk"):
        super().__init__()
        self.n_mels = n_mels
        self.sample_rate = sample_rate
        self.f_min = f_min
        self.f_max = f_max if f_max is not None else float(sample_rate // 2)
        fb = melscale_fbanks(n_stft, self.f_min, self.f_max, n_mels, sample_rate, norm, mel_scale)
        self.register_buffer("fb", fb)

    def forward(self, specgram: torch.Tensor):
        return torch.matmul(specgram.transpose(-1, -2), self.fb).transpose(-1, -2)


class MelSpectrogram(nn.Module):
    def __init__(
        self,
        sample_rate=16000,
        n_fft=400,
        win_length=None,
        hop_length=None,
        f_min=0.0,
        f_max=None,
        pad=0,
        n_mels=128,
        window_fn=torch.hann_window,
        power=2.0,
        normalized=False,
        *,
        center=True,
        pad_mode="reflect",
        norm=None,
        mel_scale="htk",
    ):
        super().__init__()
        self.sample_rate = sample_rate
        self.n_fft = n_fft
        self.spectrogram = Spectrogram(
            n_fft,
            win_length,
            hop_length,
            pad,
            window_fn,
            power,
            normalized,
            center=center,
            pad_mode=pad_mode,
        )
        self.mel_scale = MelScale(n_mels, sample_rate, f_min, f_max, n_fft // 2 + 1, norm, mel_scale)

    def forward(self, waveform: torch.Tensor):
        return self.mel_scale(self.spectrogram(waveform))


class AmplitudeToDB(nn.Module):
    def __init__(self, stype="power", top_db=None):
        super().__init__()
        self.top_db = top_db
        self.multiplier = 10.0 if stype == "power" else 20.0

    def forward(self, x: torch.Tensor):
        return amplitude_to_DB(x, self.multiplier, 1e-10, 0.0, self.top_db)


class MuLawEncoding(nn.Module):
    def __init__(self, quantization_channels=256):
        super().__init__()
        self.quantization_channels = quantization_channels

    def forward(self, x: torch.Tensor):
        return mu_law_encoding(x, self.quantization_channels)


class MuLawDecoding(nn.Module):
    def __init__(self, quantization_channels=256):
        super().__init__()
        self.quantization_channels = quantization_channels

    def forward(self, x_mu: torch.Tensor):
        return mu_law_decoding(x_mu, self.quantization_channels)


class Resample(nn.Module):
    def __init__(self, orig_freq=16000, new_freq=16000, *, lowpass_filter_width=6, rolloff=0.99):
        super().__init__()
        self.orig_freq = orig_freq
        self.new_freq = new_freq
        common = math.gcd(int(orig_freq), int(new_freq))
        self.orig = int(orig_freq) // common
        self.new = int(new_freq) // common
        self.width = sinc_width(self.orig, self.new, lowpass_filter_width, rolloff)
        kernel = sinc_kernel(self.orig, self.new, lowpass_filter_width, rolloff)
        self.register_buffer("kernel", kernel, persistent=False)

    def forward(self, waveform: torch.Tensor):
        if self.orig_freq == self.new_freq:
            return waveform
        return apply_sinc_kernel(waveform, self.orig, self.new, self.kernel, self.width)
