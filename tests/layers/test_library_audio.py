"""Transforms of torchaudio that programs import: their definitions become a part of the program, and are translated with it."""

import importlib
import io
import sys
from contextlib import redirect_stdout
from types import ModuleType
from typing import Literal

import numpy as np
import pytest

import torch2jax
from torch2jax.options import Options

PROGRAM = """\
import torch
import torch.nn as nn
import torchaudio
import torchaudio.functional as AF
from torchaudio import transforms as T
from torchaudio.transforms import MelSpectrogram, Resample


class Classifier(nn.Module):
    def __init__(self, rate):
        super().__init__()
        self.mel = MelSpectrogram(sample_rate=rate, n_fft=256, n_mels=20, norm="slaney", mel_scale="slaney")
        self.decibels = T.AmplitudeToDB(top_db=60)
        self.head = nn.Linear(20, 3)
        nn.init.constant_(self.head.weight, 0.01)
        nn.init.constant_(self.head.bias, 0.0)

    def forward(self, x):
        return self.head(self.decibels(self.mel(x)).mean(-1) / 20)


x = torch.sin(torch.arange(2 * 3000).float() ** 1.2 * 0.02).reshape(2, 3000)
for made in (
    T.Spectrogram(n_fft=200)(x),
    torchaudio.transforms.Spectrogram(n_fft=128, hop_length=32, power=1.0, normalized=True, pad=8)(x),
    T.Spectrogram(n_fft=64, win_length=48, window_fn=torch.hamming_window, center=False, power=None)(x).abs(),
    MelSpectrogram(sample_rate=16000, n_mels=24, n_fft=512, win_length=256, f_min=40.0)(x),
    Resample(12000, 8000)(x),
    Resample(8000, 12000, lowpass_filter_width=4)(x[0]),
    AF.resample(x, 16000, 8000),
    AF.mu_law_decoding(AF.mu_law_encoding(x, 256), 256),
):
    print(len(made.shape), made.shape[-1], made.abs().sum().item(), (made.abs() * torch.arange(made.shape[-1])).mean().item())
model = Classifier(8000)
y = torch.tensor([0, 2])
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(4):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    print(loss.item())
print(model.mel.mel_scale.fb.sum().item(), model.mel.spectrogram.window.sum().item())
"""


@pytest.fixture(autouse=True)
def torchaudio(monkeypatch: pytest.MonkeyPatch) -> None:
    library = ModuleType("torchaudio")
    for part in ("functional", "transforms"):
        source = importlib.import_module(f"torch2jax.libraries.torchaudio_{part}")
        setattr(library, part, source)
        monkeypatch.setitem(sys.modules, f"torchaudio.{part}", source)
    monkeypatch.setitem(sys.modules, "torchaudio", library)


def numbers(text: str) -> list[float]:
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(text, "program", "exec"), {"__name__": "program"})
    return [float(word) for word in out.getvalue().split()]


@pytest.mark.parametrize("target", ["equinox", "nnx"])
def test_programs_compute_and_train_equal(target: Literal["equinox", "nnx"]) -> None:
    conversion = torch2jax.convert(PROGRAM, Options(target=target))
    assert not [item for item in conversion.diagnostics if item.severity == "error"]
    np.testing.assert_allclose(numbers(conversion.text), numbers(PROGRAM), rtol=3e-4)


def test_what_a_transform_is_not_written_for_is_refused() -> None:
    text = "from torchaudio.transforms import Resample\nr = Resample(8, 4, resampling_method='sinc_interp_kaiser')\n"
    assert any(item.severity == "error" for item in torch2jax.convert(text).diagnostics)
