"""Pictures: what torchvision makes of them where it can be imported, and numbers that are known without it."""

import os
import pickle
import struct
import sys
import types
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from PIL import Image

from tests.installed_vision import torchvision_or_none
from torch2jax.runtime import vision_datasets as vd
from torch2jax.runtime import vision_functional as vf
from torch2jax.runtime import vision_transforms as vt
from torch2jax.runtime import vision_utils as vu

theirs = torchvision_or_none()
needs_torchvision = pytest.mark.skipif(theirs is None, reason="torchvision is not installed")


def picture(mode="RGB", size=(13, 9)):
    """A picture with something everywhere."""
    rng = np.random.default_rng(len(mode))
    shape = (size[1], size[0]) if mode == "L" else (size[1], size[0], 3)
    return Image.fromarray(rng.integers(0, 256, shape, dtype=np.uint8))


def same(ours, expected, tolerance=1e-5):
    if isinstance(expected, tuple):
        for pair in zip(ours, expected, strict=True):
            same(*pair)
    elif isinstance(expected, Image.Image):
        assert ours.mode == expected.mode and ours.size == expected.size
        np.testing.assert_array_equal(np.asarray(ours), np.asarray(expected))
    else:
        expected = expected.numpy()
        assert ours.dtype == expected.dtype and ours.shape == expected.shape
        limit = 1 if expected.dtype == np.uint8 else tolerance
        np.testing.assert_allclose(ours.astype(float), expected.astype(float), atol=limit, rtol=tolerance)


PICTURE_CALLS = {
    "to_tensor": [{}],
    "pil_to_tensor": [{}],
    "resize": [{"size": 5}, {"size": [5, 20]}, {"size": (9, 13)}, {"size": 5, "max_size": 6}],
    "center_crop": [{"output_size": 4}, {"output_size": [5, 6]}, {"output_size": 12}, {"output_size": (20, 3)}],
    "crop": [{"top": 1, "left": 2, "height": 4, "width": 5}, {"top": -1, "left": 9, "height": 4, "width": 9}],
    "pad": [
        {"padding": 2}, {"padding": [1, 2], "fill": 3}, {"padding": (1, 2, 3, 4), "fill": 7},
        {"padding": 2, "padding_mode": "reflect"}, {"padding": (1, 2, 0, 1), "padding_mode": "edge"},
    ],
    "hflip": [{}],
    "vflip": [{}],
    "resized_crop": [{"top": 1, "left": 2, "height": 4, "width": 5, "size": [6, 6]}],
    "five_crop": [{"size": 4}],
    "ten_crop": [{"size": (4, 5)}, {"size": 3, "vertical_flip": True}],
    "adjust_brightness": [{"brightness_factor": f} for f in (0, 0.7, 1.6)],
    "adjust_contrast": [{"contrast_factor": f} for f in (0, 0.7, 1.6)],
    "adjust_saturation": [{"saturation_factor": f} for f in (0, 0.7, 1.6)],
    "adjust_hue": [{"hue_factor": f} for f in (-0.4, 0.1, 0.5)],
    "adjust_gamma": [{"gamma": 0.6}, {"gamma": 2.0, "gain": 0.8}],
    "invert": [{}],
    "solarize": [{"threshold": 100}],
    "rgb_to_grayscale": [{}, {"num_output_channels": 3}],
    "gaussian_blur": [{"kernel_size": 3}, {"kernel_size": [3, 5], "sigma": [0.5, 1.5]}, {"kernel_size": 5, "sigma": 2.0}],
}  # fmt: skip
ONLY_PICTURES = {
    "rotate": [{"angle": 30}, {"angle": -20.5, "expand": True, "fill": 9}, {"angle": 10, "center": [2, 3]}],
    "affine": [
        {"angle": 20, "translate": [1, 2], "scale": 1.2, "shear": [5.0, 3.0]},
        {"angle": -20, "translate": [0, 2], "scale": 0.7, "shear": 10.0, "fill": 3},
    ],
    "adjust_sharpness": [{"sharpness_factor": 1.7}],
    "posterize": [{"bits": 3}],
    "equalize": [{}],
    "autocontrast": [{}],
}
NAMES = {"resize": "resize_image", "crop": "crop_image", "pad": "pad_image", "rotate": "rotate_image",
         "affine": "affine_image", "invert": "invert_image", "normalize": "normalize_image"}  # fmt: skip
CALLS = [(name, kwargs) for name, several in {**PICTURE_CALLS, **ONLY_PICTURES}.items() for kwargs in several]


@needs_torchvision
@pytest.mark.parametrize("mode", ["RGB", "L"])
@pytest.mark.parametrize(("name", "kwargs"), CALLS, ids=lambda item: str(item))
def test_pictures(name, kwargs, mode):
    ours, expected = getattr(vf, NAMES.get(name, name)), getattr(theirs.transforms.functional, name)
    same(ours(picture(mode), **kwargs), expected(picture(mode), **kwargs))


@needs_torchvision
@pytest.mark.parametrize("interpolation", [vf.InterpolationMode.NEAREST, vf.InterpolationMode.BILINEAR,
                                           vf.InterpolationMode.BICUBIC, vf.InterpolationMode.LANCZOS])  # fmt: skip
@pytest.mark.parametrize("size", [4, [20, 7]])
def test_resized(interpolation, size):
    mode = theirs.transforms.InterpolationMode[interpolation.name]
    resize = theirs.transforms.functional.resize
    same(vf.resize_image(picture(), size, interpolation), resize(picture(), size, mode))
    if interpolation.name == "LANCZOS":
        return
    floats = np.random.default_rng(0).random((2, 3, 9, 13)).astype(np.float32)
    for array in (floats, (floats * 255).astype(np.uint8)):
        for antialias in (True, False):
            expected = resize(torch.tensor(array), size, mode, antialias=antialias)
            same(vf.resize_image(array, size, interpolation, antialias=antialias), expected, 1e-4)


@needs_torchvision
@pytest.mark.parametrize("dtype", [np.float32, np.uint8])
@pytest.mark.parametrize(("name", "kwargs"), [(n, k) for n, k in CALLS if n in PICTURE_CALLS and "to_tensor" not in n],
                         ids=lambda item: str(item))  # fmt: skip
def test_arrays(name, kwargs, dtype):
    ours, expected = getattr(vf, NAMES.get(name, name)), getattr(theirs.transforms.functional, name)
    array = vf.picture_array(picture())
    array = array if dtype == np.uint8 else (array / 255).astype(np.float32)
    kwargs = {"threshold": 0.4} if name == "solarize" and dtype == np.float32 else kwargs
    same(ours(array, **kwargs), expected(torch.tensor(array), **kwargs), 1e-4)


@needs_torchvision
def test_conversions():
    functional = theirs.transforms.functional
    floats = np.random.default_rng(0).random((3, 4, 5)).astype(np.float32)
    for mean, std in (([0.5], [0.5]), ([0.1, 0.2, 0.3], (0.3, 0.2, 0.1)), ((0.5,), (0.25,))):
        same(vf.normalize_image(floats, mean, std), functional.normalize(torch.tensor(floats), mean, std), 1e-7)
        compiled = jax.jit(lambda array, mean=mean, std=std: vf.normalize_image(array, mean, std))(jnp.asarray(floats))
        assert isinstance(vf.normalize_image(jnp.asarray(floats), mean, std), jax.Array)
        same(np.asarray(compiled), functional.normalize(torch.tensor(floats), mean, std), 1e-6)
    same(vf.to_pil_image(floats), functional.to_pil_image(torch.tensor(floats)))
    same(vf.to_pil_image(floats[:1]), functional.to_pil_image(torch.tensor(floats[:1])))
    same(vf.to_pil_image(floats[0]), functional.to_pil_image(torch.tensor(floats[0])))
    same(vf.to_pil_image(np.asarray(picture())), functional.to_pil_image(np.asarray(picture())))
    same(vf.to_tensor(np.asarray(picture())), functional.to_tensor(np.asarray(picture())))
    same(vf.to_tensor(np.asarray(picture("L"))), functional.to_tensor(np.asarray(picture("L"))))
    same(vf.to_tensor(floats.astype(float)), functional.to_tensor(floats.astype(float)))
    numbers = np.arange(12, dtype=np.uint8).reshape(1, 3, 4) * 20
    for array, dtype in (
        (numbers, "float32"),
        (floats, "uint8"),
        (floats, "float64"),
        (numbers, "int32"),
        (numbers, "uint8"),
    ):
        expected = functional.convert_image_dtype(torch.tensor(array), getattr(torch, dtype))
        same(vf.convert_image_dtype(array, dtype), expected)
    expected = functional.erase(torch.tensor(floats), 1, 2, 2, 2, torch.tensor(0.25))
    same(vf.erase_image(floats, 1, 2, 2, 2, 0.25), expected)


@needs_torchvision
@pytest.mark.parametrize("kwargs", [{}, {"nrow": 3, "padding": 1}, {"normalize": True}, {"normalize": True, "scale_each": True},
                                    {"normalize": True, "value_range": (-1, 1), "pad_value": 0.5}])  # fmt: skip
@pytest.mark.parametrize("shape", [(7, 3, 4, 5), (5, 1, 4, 4), (3, 4, 5), (1, 4, 5), (4, 5), (1, 3, 4, 5)])
def test_grids(kwargs, shape, tmp_path):
    images = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    same(vu.make_grid(images, **kwargs), theirs.utils.make_grid(torch.tensor(images), **kwargs), 1e-6)
    vu.save_image(images, tmp_path / "a.png", **kwargs)
    theirs.utils.save_image(torch.tensor(images), tmp_path / "b.png", **kwargs)
    same(Image.open(tmp_path / "a.png"), Image.open(tmp_path / "b.png"))


def test_grid_of_pictures_side_by_side():
    grid = vu.make_grid([np.full((1, 2, 2), value, np.float32) for value in (1, 2, 3)], nrow=2, padding=1, pad_value=9)
    assert grid.shape == (3, 7, 7) and grid.dtype == np.float32
    assert grid[0, 1].tolist() == [9, 1, 1, 9, 2, 2, 9] and grid[0, 4].tolist() == [9, 3, 3, 9, 9, 9, 9]


def test_usual_transforms_without_torchvision():
    transform = vt.Compose([vt.Resize(4), vt.CenterCrop(2), vt.ToTensor(), vt.Normalize((0.5,), (0.25,))])
    result = transform(Image.new("RGB", (8, 4), (255, 0, 51)))
    assert result.dtype == np.float32 and result.shape == (3, 2, 2)
    np.testing.assert_allclose(result[:, 0, 0], [2, -2, -1.2], rtol=1e-6)


@needs_torchvision
@pytest.mark.parametrize(
    ("name", "args"),
    [("Pad", (2, 1)), ("FiveCrop", (4,)), ("TenCrop", (4,)), ("Grayscale", (3,)), ("CenterCrop", ((3, 4),)), ("PILToTensor", ()),
     ("ToTensor", ()), ("Resize", ((4, 7),))],
)  # fmt: skip
def test_transforms_without_chance(name, args):
    same(getattr(vt, name)(*args)(picture()), getattr(theirs.transforms, name)(*args)(picture()))


@pytest.mark.parametrize(
    "transform",
    [
        vt.Normalize((0.5, 0.4, 0.3), (0.2, 0.3, 0.4)),
        vt.Resize((5, 9)),
        vt.Resize(4, vt.InterpolationMode.NEAREST),
        vt.CenterCrop(4),
        vt.CenterCrop(12),
        vt.Pad((1, 2), padding_mode="reflect"),
        vt.Pad(1, fill=(0.1, 0.2, 0.3)),
        vt.Grayscale(3),
    ],
    ids=lambda item: type(item).__name__,
)
def test_compiled(transform):
    image = np.linspace(0, 1, 2 * 3 * 8 * 10, dtype=np.float32).reshape(2, 3, 8, 10)
    compiled = jax.jit(transform)(jnp.asarray(image))
    np.testing.assert_allclose(compiled, transform(image), atol=1e-5)
    slope = jax.grad(lambda x: transform(x).sum())(jnp.asarray(image))
    assert np.isfinite(slope).all() and np.abs(slope).sum() > 0


def test_dtypes_and_pictures():
    image = vt.PILToTensor()(picture())
    assert vt.ConvertImageDtype(np.float32)(image).max() <= 1 and vt.ToImage()(picture()).dtype == np.uint8
    assert vt.ToDtype(np.float32)(image).max() > 1 and vt.ToDtype(np.float32, scale=True)(image).max() <= 1
    assert vt.ToPILImage()(image).size == (13, 9) and vf.image_dimensions(picture()) == [3, 9, 13]  # get_dimensions
    assert vf.image_dimensions(image) == [3, 9, 13] and vf.picture_size(image) == [13, 9]  # get_image_size


def test_chance_of_transforms():
    img = np.arange(3 * 40 * 40, dtype=np.float32).reshape(3, 40, 40) / 5000
    flips = sum(vt.RandomHorizontalFlip(0.25)(img)[0, 0, 0] != 0 for _ in range(2000))
    assert abs(flips - 500) < 100
    places = [vt.RandomCrop(8, padding=2)(img).shape for _ in range(20)]
    assert set(places) == {(3, 8, 8)}
    tops = {vt.RandomCrop.get_params(img, (38, 40))[0] for _ in range(100)}
    assert tops == {0, 1, 2}
    for _ in range(50):
        top, left, height, width = vt.RandomResizedCrop.get_params(img, (0.08, 1.0), (0.75, 4 / 3))
        assert 0 <= top <= 40 - height and 0 <= left <= 40 - width and height * width > 0.07 * 1600
    assert vt.RandomResizedCrop(7)(img).shape == (3, 7, 7)
    jitter = vt.ColorJitter(0.4, 0.4, 0.4, 0.1)
    assert jitter.brightness == (0.6, 1.4) and jitter.hue == (-0.1, 0.1) and vt.ColorJitter().hue is None
    assert jitter(picture()).size == (13, 9) and jitter(img).shape == img.shape
    assert -30 <= vt.RandomRotation.get_params((-30, 30)) <= 30
    for transform in (
        vt.RandomRotation(20), vt.RandomAffine(10, (0.1, 0.1), (0.8, 1.2), 5), vt.GaussianBlur(3), vt.RandomGrayscale(1.0),
        vt.RandomApply([vt.RandomVerticalFlip()]), vt.RandomChoice([vt.RandomInvert(), vt.RandomSolarize(128)]),
        vt.RandomOrder([vt.RandomPosterize(3), vt.RandomEqualize(), vt.RandomAutocontrast(), vt.RandomAdjustSharpness(2)]),
    ):  # fmt: skip
        assert transform(picture()).size == (13, 9)
    erased = vt.RandomErasing(1.0, value=-1)(img)
    assert (erased == -1).any() and (erased >= 0).any() and (img >= 0).all()
    assert vt.RandomErasing(1.0, value="random")(img).shape == img.shape


def write_idx(path, array):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bytes([0, 0, 8, array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape) + array.tobytes())


def compare_datasets(ours, expected):
    assert len(ours) == len(expected)
    for i in range(len(ours)):
        same(ours[i][0], expected[i][0])
        assert ours[i][1] == expected[i][1] and type(ours[i][1]) is type(expected[i][1])


@pytest.mark.parametrize("name", ["MNIST", "FashionMNIST", "KMNIST"])
def test_mnist(name, tmp_path):
    images = np.random.default_rng(0).integers(0, 256, (5, 28, 28)).astype(np.uint8)
    for part in ("train", "t10k"):
        write_idx(tmp_path / name / "raw" / f"{part}-images-idx3-ubyte", images)
        write_idx(tmp_path / name / "raw" / f"{part}-labels-idx1-ubyte", np.arange(5, dtype=np.uint8))
    ours = getattr(vd, name)(str(tmp_path), train=False, download=True, transform=vt.ToTensor())
    assert ours.data.shape == (5, 28, 28) and ours.targets.dtype == np.int64
    np.testing.assert_array_equal(ours[3][0][0], images[3] / np.float32(255))
    assert ours[3][1] == 3 and len(ours.classes) == 10
    if theirs is not None:
        import torchvision.datasets

        expected = getattr(torchvision.datasets, name)(str(tmp_path), train=False)
        compare_datasets(getattr(vd, name)(str(tmp_path), train=False), expected)
        assert ours.classes == expected.classes
    with pytest.raises(RuntimeError, match="download=True"):
        getattr(vd, name)(str(tmp_path / "elsewhere"))


@pytest.mark.parametrize("name", ["CIFAR10", "CIFAR100"])
def test_cifar(name, tmp_path):
    rng = np.random.default_rng(0)
    kind = getattr(vd, name)
    folder = tmp_path / kind.base_folder
    folder.mkdir()
    for file in (*kind.train_files, *kind.test_files):
        entry = {"data": rng.integers(0, 256, (2, 3072)).astype(np.uint8), kind.labels: [3, 1]}
        (folder / file).write_bytes(pickle.dumps(entry, 2))
    (folder / kind.meta_file).write_bytes(pickle.dumps({kind.names: ["a", "b", "c", "d"]}, 2))
    ours = kind(tmp_path, download=True)
    assert ours.data.shape == (2 * len(kind.train_files), 32, 32, 3) and ours.targets[:2] == [3, 1]
    assert ours.class_to_idx["c"] == 2
    if theirs is not None:
        import torchvision.datasets

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(torchvision.datasets.cifar, "check_integrity", lambda path, md5=None: Path(path).is_file())
            compare_datasets(ours, getattr(torchvision.datasets, name)(tmp_path))


def test_folders(tmp_path):
    for name in ("dogs/x.png", "dogs/deep/y.png", "cats/z.jpg", "cats/notes.txt"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        picture().save(path) if path.suffix != ".txt" else path.write_text("no picture")
    ours = vd.ImageFolder(str(tmp_path))
    assert ours.classes == ["cats", "dogs"] and ours.targets == [0, 1, 1] and ours.imgs is ours.samples
    chosen = vd.DatasetFolder(
        str(tmp_path), os.path.getsize, is_valid_file=lambda path: path.endswith(".txt"), allow_empty=True
    )
    assert chosen[0] == (10, 0) and len(chosen) == 1
    if theirs is not None:
        import torchvision.datasets

        expected = torchvision.datasets.ImageFolder(str(tmp_path))
        compare_datasets(ours, expected)
        assert ours.samples == expected.samples


def test_parts_of_folders(tmp_path):
    (tmp_path / "a").mkdir()
    picture("L").save(tmp_path / "a" / "x.png")
    assert vd.find_classes(tmp_path) == (["a"], {"a": 0}) and vd.pil_loader(tmp_path / "a" / "x.png").mode == "RGB"
    assert vd.make_dataset(str(tmp_path), None, vd.IMG_EXTENSIONS) == [(str(tmp_path / "a" / "x.png"), 0)]
    assert vd.VisionDataset(str(tmp_path), transform=len).transformed("ab", 1) == (2, 1)


def test_svhn(tmp_path):
    io = pytest.importorskip("scipy.io")
    pixels = np.random.default_rng(0).integers(0, 256, (32, 32, 3, 2)).astype(np.uint8)
    io.savemat(tmp_path / "test_32x32.mat", {"X": pixels, "y": np.array([[10], [3]], np.uint8)})
    ours = vd.SVHN(str(tmp_path), "test", vt.PILToTensor())
    assert [label for _, label in (ours[0], ours[1])] == [0, 3]
    np.testing.assert_array_equal(ours[1][0], pixels[..., 1].transpose(2, 0, 1))


@pytest.mark.parametrize("split, folds", [("train", None), ("train+unlabeled", 1), ("unlabeled", None), ("test", 0)])
def test_stl10(tmp_path, split, folds):
    rng, folder = np.random.default_rng(0), tmp_path / "stl10_binary"
    folder.mkdir()
    for part, count in (("train", 3), ("unlabeled", 2), ("test", 2)):
        rng.integers(0, 256, (count, 3, 96, 96)).astype(np.uint8).tofile(folder / f"{part}_X.bin")
        np.arange(1, count + 1, dtype=np.uint8).tofile(folder / f"{part}_y.bin")
    (folder / "class_names.txt").write_text("cat\ndog\n")
    (folder / "fold_indices.txt").write_text("0 1\n2 0\n")
    ours = vd.STL10(str(tmp_path), split, folds)
    expected = {"train": [0, 1, 2], "train+unlabeled": [2, 0, -1, -1], "unlabeled": [-1, -1], "test": [0, 1]}
    assert [ours[i][1] for i in range(len(ours))] == expected[split] and ours.classes == ["cat", "dog"]
    if theirs is not None:
        from torchvision.datasets import stl10

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(stl10, "check_integrity", lambda path, md5=None: Path(path).is_file())
            patch.setattr(np, "fromstring", lambda text, dtype, sep: np.array(text.split(), dtype))  # NumPy warns of it
            compare_datasets(ours, stl10.STL10(str(tmp_path), split, folds))


@pytest.mark.parametrize("split", ["balanced", "letters", "digits"])
def test_emnist(tmp_path, split):
    folder = tmp_path / "EMNIST" / "raw"
    folder.mkdir(parents=True)
    for part, labels in (("train", [3, 1]), ("test", [2])):
        pixels = np.arange(len(labels) * 28 * 28, dtype=np.uint8).reshape(-1, 28, 28)
        write_idx(folder / f"emnist-{split}-{part}-images-idx3-ubyte", pixels)
        write_idx(folder / f"emnist-{split}-{part}-labels-idx1-ubyte", np.array(labels, np.uint8))
    for train in (True, False):
        ours = vd.EMNIST(str(tmp_path), split, train=train, download=True)
        assert [int(label) for label in ours.targets] == ([3, 1] if train else [2])
        if theirs is not None:
            import torchvision.datasets

            expected = torchvision.datasets.EMNIST(str(tmp_path), split, train=train)
            compare_datasets(ours, expected)
            assert ours.classes == expected.classes and ours.class_to_idx == expected.class_to_idx


def test_lsun(tmp_path):
    lmdb = pytest.importorskip("lmdb")
    file = tmp_path / "x.png"
    picture().save(file)
    with lmdb.open(str(tmp_path / "tower_val_lmdb")) as database, database.begin(write=True) as writing:
        writing.put(b"key", file.read_bytes())
    ours = vd.LSUN(str(tmp_path), ["tower_val"])
    assert len(ours) == 1 and ours[0][1] == 0 and ours[0][0].size == (13, 9)


def test_noise():
    ours = vd.FakeData(3, (3, 8, 6), 4, transform=vt.ToTensor())
    assert len(ours) == 3 and ours[1][0].shape == (3, 8, 6) and ours[1][1] in range(4)
    np.testing.assert_array_equal(ours[2][0], ours[2][0])
    with pytest.raises(IndexError):
        ours[3]


class Annotations:
    """What pycocotools reads, as far as CocoDetection and CocoCaptions ask for it."""

    def __init__(self, file):
        self.imgs = {7: {"file_name": "b.png"}, 3: {"file_name": "a.png"}}
        self.anns = {1: {"image_id": 7, "caption": "a cat"}, 2: {"image_id": 3, "caption": "two dogs"}}

    def loadImgs(self, id):
        return [self.imgs[id]]

    def getAnnIds(self, id):
        return [key for key, item in self.anns.items() if item["image_id"] == id]

    def loadAnns(self, ids):
        return [self.anns[key] for key in ids]


def test_annotated_pictures(tmp_path, monkeypatch):
    coco = types.ModuleType("pycocotools.coco")
    coco.COCO = Annotations
    monkeypatch.setitem(sys.modules, "pycocotools", types.ModuleType("pycocotools"))
    monkeypatch.setitem(sys.modules, "pycocotools.coco", coco)
    for name, level in (("a.png", 10), ("b.png", 20)):
        Image.fromarray(np.full((4, 5, 3), level, np.uint8)).save(tmp_path / name)
    found = vd.CocoDetection(tmp_path, "annotations.json", transform=vt.ToTensor())
    pictures, targets = zip(*(found[k] for k in range(len(found))))
    assert [picture.shape for picture in pictures] == [(3, 4, 5)] * 2
    np.testing.assert_allclose([float(picture.max()) * 255 for picture in pictures], [10, 20], rtol=1e-5)
    assert [item[0]["caption"] for item in targets] == ["two dogs", "a cat"]
    captions = vd.CocoCaptions(tmp_path, "annotations.json", target_transform=len)
    assert [captions[k][1] for k in range(2)] == [1, 1]
