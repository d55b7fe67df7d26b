"""Sound files as torchaudio reads and writes them: WAV, with samples as integers or floating point numbers."""

import struct
from pathlib import Path

import jax.numpy as jnp
import numpy as np


class AudioInfo:
    """torchaudio.info: what the head of a WAV file says."""

    def __init__(self, uri, *settings, **others):
        _, form, self.sample_rate, self.num_channels, width, frames = read_wave_head(uri)
        self.num_frames, self.bits_per_sample = frames, 8 * width
        self.encoding = {1: "PCM_S" if width > 1 else "PCM_U", 3: "PCM_F"}[form]


def read_wave_head(uri):
    """The samples of a WAV file as bytes, their form (1: integers, 3: floating point), rate, channels, width and number."""
    content = Path(uri).read_bytes()
    if content[:4] != b"RIFF" or content[8:12] != b"WAVE":
        raise ValueError(f"{uri} is no WAV file: convert it first")
    place, head, data = 12, b"", b""
    while place + 8 <= len(content):
        name, size = content[place : place + 4], int.from_bytes(content[place + 4 : place + 8], "little")
        part = content[place + 8 : place + 8 + size]
        head, data = (part if name == b"fmt " else head), (part if name == b"data" else data)
        place += 8 + size + size % 2
    form, channels, rate, _, align, _ = struct.unpack("<HHIIHH", head[:16])
    form = int.from_bytes(head[24:26], "little") if form == 0xFFFE else form
    if form not in (1, 3):
        raise ValueError(f"the samples of {uri} are compressed: convert it first")
    return data, form, rate, channels, align // channels, len(data) // align


def load_wave(uri, frame_offset=0, num_frames=-1, channels_first=True):
    """torchaudio.load: the samples between -1 and 1, and their rate."""
    data, form, rate, channels, width, frames = read_wave_head(uri)
    data = data[: frames * channels * width]
    if form == 3:
        samples = np.frombuffer(data, f"<f{width}")
    elif width == 1:
        samples = (np.frombuffer(data, np.uint8) - 128.0) / 128
    else:
        parts = np.frombuffer(data, np.uint8).reshape(-1, width)
        whole = np.zeros((len(parts), 4), np.uint8)
        whole[:, 4 - width :] = parts
        samples = whole.view("<i4")[:, 0] / 2.0**31
    samples = samples.astype(np.float32).reshape(-1, channels)
    end = None if num_frames < 0 else frame_offset + num_frames
    samples = samples[frame_offset:end]
    return jnp.asarray(samples.T if channels_first else samples), rate


def save_wave(uri, src, sample_rate, channels_first=True):
    """torchaudio.save: samples of 32 bits, floating point."""
    if Path(uri).suffix.lower() != ".wav":
        raise ValueError(f"{uri} is not the name of a WAV file")
    if not jnp.issubdtype(src.dtype, jnp.floating):
        raise ValueError("samples that are integers are not written")
    samples = np.asarray(src, "<f4")
    samples = np.ascontiguousarray(samples.T if channels_first else samples)
    frames, channels = samples.shape
    head = struct.pack("<HHIIHHH", 3, channels, sample_rate, 4 * channels * sample_rate, 4 * channels, 32, 0)
    fact = struct.pack("<I", frames)
    chunks = b"".join(
        name + struct.pack("<I", len(part)) + part
        for name, part in ((b"fmt ", head), (b"fact", fact), (b"data", samples.tobytes()))
    )
    Path(uri).write_bytes(b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WAVE" + chunks)
