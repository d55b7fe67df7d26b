"""torch.utils.tensorboard: event files as TensorBoard reads them, written without it.

An event file is a row of records, each a length and a message of protocol buffers with their checksums (CRC-32C, masked)."""

import functools
import io
import os
import re
import socket
import struct
import time
import wave
from pathlib import Path

import numpy as np
from PIL import Image


@functools.cache
def checksum_table():
    """What CRC-32C makes of each byte."""
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


def masked_checksum(data):
    """The checksum of a record: CRC-32C, turned and shifted."""
    table, crc = checksum_table(), 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ table[(crc ^ byte) & 0xFF]
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def varint(number):
    """An integer in groups of seven bits."""
    number &= (1 << 64) - 1
    groups = []
    while number > 0x7F:
        groups.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*groups, number])


def message(*fields):
    """A message of `(number, value)`: floats are `np.float32` or double, lists packed doubles, bytes and text as they are."""
    parts = []
    for number, value in fields:
        if isinstance(value, np.float32):
            parts.append(varint(number << 3 | 5) + struct.pack("<f", value))
        elif isinstance(value, float):
            parts.append(varint(number << 3 | 1) + struct.pack("<d", value))
        elif isinstance(value, int):
            parts.append(varint(number << 3) + varint(value))
        else:
            data = value.encode() if isinstance(value, str) else value
            data = struct.pack(f"<{len(data)}d", *data) if isinstance(data, list) else data
            parts.append(varint(number << 3 | 2) + varint(len(data)) + data)
    return b"".join(parts)


def histogram_message(values, bins):
    """The counts of values between the given edges, without the empty ones at both ends."""
    values = np.asarray(values, float).reshape(-1)
    counts, limits = np.histogram(values, bins)
    filled = np.flatnonzero(counts)
    first, last = (int(filled[0]), int(filled[-1]) + 1) if filled.size else (0, len(counts))
    counts = ([0] if first == 0 else [counts[first - 1]]) + counts[first:last].tolist()
    numbers = (values.min(), values.max(), values.size, values.sum(), values @ values)
    fields = [(i, float(number)) for i, number in enumerate(numbers, 1)]
    limits = limits[first : last + 1].tolist()
    return message(*fields, (6, [float(x) for x in limits]), (7, [float(x) for x in counts]))


def default_edges():
    """Edges that grow by a tenth, on both sides of zero."""
    positive = 1e-12 * 1.1 ** np.arange(774)
    return np.concatenate([-positive[::-1], [0.0], positive])


def image_message(array, dataformats):
    """A picture as PNG: floats from 0 to 1, or bytes; a batch (N...) side by side."""
    array = np.asarray(array)
    axes = dataformats.upper()
    if "N" in axes:
        array = np.moveaxis(array, axes.index("N"), 0)
        axes = axes.replace("N", "")
        columns = min(8, len(array))
        blank = [np.zeros_like(array[0])] * (-len(array) % columns)
        rows, joined = [*array, *blank], axes.index("W")
        lines = [np.concatenate(rows[i : i + columns], joined) for i in range(0, len(rows), columns)]
        array = np.concatenate(lines, axes.index("H"))
    array = array.transpose([axes.index(axis) for axis in "HWC" if axis in axes])
    array = array.astype(np.uint8) if array.dtype == np.uint8 else np.clip(array * 255, 0, 255).astype(np.uint8)
    array = np.repeat(array.reshape(*array.shape[:2], -1), 3 if array.size == array.shape[0] * array.shape[1] else 1, 2)
    file = io.BytesIO()
    Image.fromarray(array).save(file, "PNG")
    return message((1, array.shape[0]), (2, array.shape[1]), (3, array.shape[2]), (4, file.getvalue()))


def audio_message(array, sample_rate):
    """A sound of one channel as WAV of 16 bits: floats from -1 to 1."""
    array = np.asarray(array).squeeze()
    if np.abs(array).max() > 1:
        print("warning: audio amplitude out of range, auto clipped.")  # noqa: T201 - as torch does
        array = array.clip(-1, 1)
    assert array.ndim == 1, "input tensor should be 1 dimensional."
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(sample_rate)
        sound.writeframes((array * 32767).astype("<i2").tobytes())
    rate, wav = np.float32(sample_rate), file.getvalue()
    return message((1, rate), (2, 1), (3, len(array)), (4, wav), (5, "audio/wav"))


class SummaryWriter:
    """torch.utils.tensorboard.SummaryWriter: numbers, texts, histograms, pictures and sounds for TensorBoard."""

    def __init__(self, log_dir=None, comment="", purge_step=None, max_queue=10, flush_secs=120, filename_suffix=""):
        host = socket.gethostname()
        self.log_dir = os.fspath(log_dir or f"runs/{time.strftime('%b%d_%H-%M-%S')}_{host}{comment}")
        Path(self.log_dir).mkdir(parents=True, exist_ok=True)
        name = f"events.out.tfevents.{int(time.time()):010d}.{host}.{os.getpid()}.{id(self)}{filename_suffix}"
        self.path, self.writers = Path(self.log_dir, name), {}
        self.write(message((1, time.time()), (3, "brain.Event:2")))

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def write(self, data):
        length = struct.pack("<Q", len(data))
        with self.path.open("ab") as file:
            file.write(length + masked_checksum(length) + data + masked_checksum(data))

    def add(self, tag, step, walltime, *fields):
        """One value under a tag."""
        tag = re.sub(r"[^-/\w\.]", "_", tag.lstrip("/")) or "_"
        when = time.time() if walltime is None else float(walltime)
        self.write(message((1, when), (2, int(step or 0)), (5, message((1, message((1, tag), *fields))))))

    def add_scalar(self, tag, scalar_value, global_step=None, walltime=None, new_style=False, double_precision=False):
        self.add(tag, global_step, walltime, (2, np.float32(np.asarray(scalar_value).item())))

    def add_scalars(self, main_tag, tag_scalar_dict, global_step=None, walltime=None):
        for tag, value in tag_scalar_dict.items():
            folder = f"{self.log_dir}/{main_tag.replace('/', '_')}_{tag}"
            if folder not in self.writers:
                self.writers[folder] = SummaryWriter(folder)
            self.writers[folder].add_scalar(main_tag, value, global_step, walltime)

    def add_text(self, tag, text_string, global_step=None, walltime=None):
        shape = message((2, message((1, 1))))
        text = (8, message((1, 7), (2, shape), (8, text_string)))
        self.add(f"{tag}/text_summary", global_step, walltime, (9, message((1, message((1, "text"))))), text)

    def add_histogram(self, tag, values, global_step=None, bins="tensorflow", walltime=None, max_bins=None):
        edges = default_edges() if isinstance(bins, str) and bins == "tensorflow" else bins
        self.add(tag, global_step, walltime, (5, histogram_message(values, edges)))

    def add_image(self, tag, img_tensor, global_step=None, walltime=None, dataformats="CHW"):
        self.add(tag, global_step, walltime, (4, image_message(img_tensor, dataformats)))

    def add_images(self, tag, img_tensor, global_step=None, walltime=None, dataformats="NCHW"):
        self.add(tag, global_step, walltime, (4, image_message(img_tensor, dataformats)))

    def add_audio(self, tag, snd_tensor, global_step=None, sample_rate=44100, walltime=None):
        self.add(tag, global_step, walltime, (6, audio_message(snd_tensor, sample_rate)))

    def add_figure(self, tag, figure, global_step=None, close=True, walltime=None):
        file = io.BytesIO()
        figure.savefig(file, format="png")
        self.add_image(tag, np.asarray(Image.open(file).convert("RGB")), global_step, walltime, "HWC")
        if close:
            import matplotlib.pyplot

            matplotlib.pyplot.close(figure)

    def get_logdir(self):
        return self.log_dir

    def add_graph(self, model, input_to_model=None, verbose=False, use_strict_trace=True):
        """Nothing is drawn: `jax.make_jaxpr(model)(x)` shows what a model computes."""

    def flush(self):
        """There is nothing to do: every value is written at once."""

    def close(self):
        """There is nothing to do: every value is written at once."""
