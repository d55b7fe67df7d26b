"""WAV files: samples of any width are read as torchaudio does, and what is written is read again."""

import wave
from pathlib import Path

import jax.numpy as jnp
import numpy as np
import pytest

from torch2jax.runtime.audio_files import AudioInfo, load_wave, save_wave


@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_integers_become_numbers_below_one(width: int, tmp_path: Path) -> None:
    path, limit = tmp_path / "sound.wav", 2 ** (8 * width - 1)
    wanted = (np.sin(np.arange(60) * 0.3) * 0.9 * limit).astype(np.int64)
    stored = wanted + 128 if width == 1 else wanted
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(width)
        file.setframerate(8000)
        file.writeframes(b"".join(int(item).to_bytes(width, "little", signed=width > 1) for item in stored))
    samples, rate = load_wave(str(path))
    assert rate == 8000
    assert samples.shape == (2, 30)
    np.testing.assert_allclose(samples.T.reshape(-1), wanted / limit, rtol=1e-6)
    part, _ = load_wave(path, frame_offset=4, num_frames=5, channels_first=False)
    np.testing.assert_array_equal(part, samples.T[4:9])
    info = AudioInfo(path)
    assert (info.num_frames, info.num_channels, info.bits_per_sample) == (30, 2, 8 * width)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    samples = jnp.sin(jnp.arange(24.0)).reshape(2, 12)
    save_wave(tmp_path / "sound.wav", samples, 16000)
    again, rate = load_wave(tmp_path / "sound.wav")
    np.testing.assert_array_equal(again, samples)
    assert rate == 16000
    assert AudioInfo(tmp_path / "sound.wav").encoding == "PCM_F"


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "sound.mp3").write_bytes(b"ID3" + bytes(40))
    with pytest.raises(ValueError, match="no WAV file"):
        load_wave(tmp_path / "sound.mp3")
    with pytest.raises(ValueError, match="not the name of a WAV file"):
        save_wave(tmp_path / "sound.flac", jnp.ones((1, 4)), 8000)
    with pytest.raises(ValueError, match="integers"):
        save_wave(tmp_path / "sound.wav", jnp.ones((1, 4), int), 8000)
