"""Event files: what stands in them, read back field by field."""

import io
import struct
import wave
from pathlib import Path

import jax.numpy as jnp
import numpy as np
import pytest
from PIL import Image

from torch2jax.runtime import event_files as ef


def varint(data, at):
    number = shift = 0
    while True:
        number |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if not data[at - 1] & 0x80:
            return number, at


def fields(data):
    """The fields of a message by number."""
    found, at = {}, 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            size, at = varint(data, at)
            value, at = data[at : at + size], at + size
        else:
            size = {1: 8, 5: 4}[key & 7]
            value, at = struct.unpack({8: "<d", 4: "<f"}[size], data[at : at + size])[0], at + size
        found.setdefault(key >> 3, value)
    return found


def events(folder):
    """The messages of the one event file of a folder; lengths and checksums are right."""
    (path,) = (path for path in Path(folder).iterdir() if path.is_file())
    data, at, found = path.read_bytes(), 0, []
    while at < len(data):
        size = struct.unpack("<Q", data[at : at + 8])[0]
        body = data[at + 12 : at + 12 + size]
        assert data[at + 8 : at + 12] == ef.masked_checksum(data[at : at + 8])
        assert data[at + 12 + size : at + 16 + size] == ef.masked_checksum(body)
        found.append(fields(body))
        at += 16 + size
    return found


def values(folder):
    """(step, tag, fields) of each value."""
    parts = [(event.get(2, 0), fields(fields(event[5])[1])) for event in events(folder)[1:]]
    return [(step, value[1].decode(), value) for step, value in parts]


def test_checksum_is_crc_32c():
    crc = struct.unpack("<I", ef.masked_checksum(b"123456789"))[0]
    turned = (crc - 0xA282EAD8) & 0xFFFFFFFF
    assert (turned >> 17 | turned << 15) & 0xFFFFFFFF == 0xE3069283


def test_values(tmp_path):
    with ef.SummaryWriter(tmp_path / "run", flush_secs=5) as writer:
        writer.add_scalar("loss/train", jnp.array(0.25), 3)
        writer.add_scalar("a b", np.float64(2), global_step=np.int64(300), walltime=1.5)
        writer.add_text("note", "| a |", 1)
        writer.add_image("picture", np.zeros((3, 4, 5), np.float32), 2)
        writer.add_images("several", jnp.ones((2, 1, 4, 5)), 2)
        writer.add_histogram("weights", jnp.array([1.0, 1.0, -2.0]), 4)
        writer.add_scalars("both", {"x": 1.0, "y": 2}, 7)
        assert writer.get_logdir() == writer.log_dir
    found = values(tmp_path / "run")
    assert events(tmp_path / "run")[0][3] == b"brain.Event:2" and events(tmp_path / "run")[2][1] == 1.5
    assert [(step, tag) for step, tag, _ in found[:2]] == [(3, "loss/train"), (300, "a_b")]
    assert found[0][2][2] == 0.25 and found[1][2][2] == 2
    assert found[2][1] == "note/text_summary" and fields(found[2][2][8])[8] == b"| a |"
    assert fields(fields(found[2][2][9])[1])[1] == b"text"
    picture = fields(found[3][2][4])
    assert (picture[1], picture[2], picture[3]) == (4, 5, 3) and Image.open(io.BytesIO(picture[4])).size == (5, 4)
    several = np.asarray(Image.open(io.BytesIO(fields(found[4][2][4])[4])))
    assert several.shape == (4, 10, 3) and (several == 255).all()
    histogram = fields(found[5][2][5])
    assert [histogram[i] for i in range(1, 6)] == [-2, 1, 3, 0, 6]
    edges, counts = (np.frombuffer(histogram[i]) for i in (6, 7))
    assert counts.sum() == 3 and len(edges) == len(counts) and (np.diff(edges) > 0).all()
    assert values(tmp_path / "run" / "both_x")[0][:2] == (7, "both")


def test_sounds_are_wav_files_of_sixteen_bits(tmp_path, capsys):
    with ef.SummaryWriter(tmp_path) as writer:
        writer.add_audio("sound", jnp.array([[0.0, 0.5, -1.0]]), 3, 22050)
        writer.add_audio("loud", np.array([2.0, 0.25]))
    assert "auto clipped" in capsys.readouterr().out
    sounds = [fields(value[6]) for _, _, value in values(tmp_path)]
    assert [(sound[1], sound[2], sound[3], sound[5]) for sound in sounds] == [
        (22050, 1, 3, b"audio/wav"),
        (44100, 1, 2, b"audio/wav"),
    ]
    with wave.open(io.BytesIO(sounds[0][4])) as sound:
        assert (sound.getnchannels(), sound.getsampwidth(), sound.getframerate()) == (1, 2, 22050)
        assert np.frombuffer(sound.readframes(3), "<i2").tolist() == [0, 16383, -32767]
    with wave.open(io.BytesIO(sounds[1][4])) as sound:
        assert np.frombuffer(sound.readframes(2), "<i2").tolist() == [32767, 8191]


def test_other_bins_and_signed_steps(tmp_path):
    writer = ef.SummaryWriter(str(tmp_path))
    writer.add_histogram("h", np.arange(10.0), bins=[0, 5, 10])
    writer.add_scalar("x", 1, -1)
    writer.close()
    (_, _, histogram), (step, _, _) = values(tmp_path)
    assert np.frombuffer(fields(histogram[5])[7]).tolist() == [0, 5, 5]
    assert step == 2**64 - 1


def test_where_tensorboard_reads_them(tmp_path):
    protocol = pytest.importorskip("tensorboardX.proto.event_pb2")
    with ef.SummaryWriter(str(tmp_path)) as writer:
        writer.add_scalar("loss", 0.5, 2)
        writer.add_histogram("h", np.arange(10.0), 3)
        writer.add_text("note", "hello")
    (path,) = tmp_path.iterdir()
    data, at, found = path.read_bytes(), 0, []
    while at < len(data):
        size = struct.unpack("<Q", data[at : at + 8])[0]
        found.append(protocol.Event.FromString(data[at + 12 : at + 12 + size]))
        at += 16 + size
    assert found[0].file_version == "brain.Event:2"
    assert found[1].summary.value[0].simple_value == 0.5 and found[1].step == 2
    assert found[2].summary.value[0].histo.num == 10 and sum(found[2].summary.value[0].histo.bucket) == 10
    assert found[3].summary.value[0].tensor.string_val[0] == b"hello"
