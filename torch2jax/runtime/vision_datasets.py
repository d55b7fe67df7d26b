"""torchvision.datasets: pictures with labels from the same files; what is not there is downloaded where that is asked for."""

import gzip
import io
import os
import pickle
import shutil
import tarfile
import urllib.request
import zipfile
from pathlib import Path

import numpy as np
from PIL import Image

from torch2jax.runtime.vision_functional import to_pil_image


class VisionDataset:
    """torchvision.datasets.VisionDataset: samples of which the pictures and the labels go through transforms."""

    def __init__(self, root=None, transforms=None, transform=None, target_transform=None):
        self.root = os.path.expanduser(root) if isinstance(root, str) else root
        self.transforms, self.transform, self.target_transform = transforms, transform, target_transform

    def transformed(self, img, target):
        """A sample as it is given out."""
        img = img if self.transform is None else self.transform(img)
        return img, target if self.target_transform is None else self.target_transform(target)

    def __repr__(self):
        return f"Dataset {type(self).__name__}\n    Number of datapoints: {len(self)}\n    Root location: {self.root}"


def download_file(urls, path):
    """Write what the first of some addresses gives that answers."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part, errors = path.with_name(f"{path.name}.part"), []
    for url in urls:
        try:
            with urllib.request.urlopen(url) as answer, part.open("wb") as file:
                shutil.copyfileobj(answer, file)
        except OSError as error:
            errors.append(f"{url}: {error}")
        else:
            part.replace(path)
            return
    raise RuntimeError("\n".join(["nothing could be downloaded", *errors]))


def read_idx(path):
    """The array of a file in the format of MNIST."""
    data = Path(path).read_bytes()
    dtypes = {8: "u1", 9: "i1", 11: ">i2", 12: ">i4", 13: ">f4", 14: ">f8"}
    shape = [int.from_bytes(data[4 * i : 4 * i + 4], "big") for i in range(1, data[3] + 1)]
    array = np.frombuffer(data, dtypes[data[2]], offset=4 * len(shape) + 4).reshape(shape)
    return array.astype(array.dtype.newbyteorder("="))


class MNIST(VisionDataset):
    """torchvision.datasets.MNIST: the files `ROOT/MNIST/raw/*-ubyte`."""

    mirrors = ("https://ossci-datasets.s3.amazonaws.com/mnist/", "http://yann.lecun.com/exdb/mnist/")
    classes = [f"{i} - {name}" for i, name in enumerate("zero one two three four five six seven eight nine".split())]

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.train = train
        if download:
            self.download()
        part = "train" if train else "t10k"
        self.data = self.read(f"{part}-images-idx3-ubyte")
        self.targets = self.read(f"{part}-labels-idx1-ubyte").astype(np.int64)

    @property
    def raw_folder(self):
        return os.path.join(self.root, type(self).__name__, "raw")

    @property
    def class_to_idx(self):
        return {name: i for i, name in enumerate(self.classes)}

    def read(self, name):
        """The array of one of the files."""
        path = Path(self.raw_folder, name)
        if not path.is_file():
            raise RuntimeError(f"there is no {path}; download=True downloads it")
        return read_idx(path)

    def download(self):
        for part in ("train", "t10k"):
            for name in (f"{part}-images-idx3-ubyte", f"{part}-labels-idx1-ubyte"):
                path = Path(self.raw_folder, name)
                if not path.is_file():
                    packed = path.with_name(f"{name}.gz")
                    download_file([f"{mirror}{name}.gz" for mirror in self.mirrors], packed)
                    path.write_bytes(gzip.decompress(packed.read_bytes()))

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return self.transformed(Image.fromarray(np.asarray(self.data[index])), int(self.targets[index]))


class FashionMNIST(MNIST):
    """torchvision.datasets.FashionMNIST."""

    mirrors = ("http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",)
    classes = ["T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot"]


class KMNIST(MNIST):
    """torchvision.datasets.KMNIST."""

    mirrors = ("http://codh.rois.ac.jp/kmnist/dataset/kmnist/",)
    classes = ["o", "ki", "su", "tsu", "na", "ha", "ma", "ya", "re", "wo"]


class EMNIST(MNIST):
    """torchvision.datasets.EMNIST: the files `ROOT/EMNIST/raw/emnist-SPLIT-*-ubyte`."""

    url = "https://biometrics.nist.gov/cs_links/EMNIST/gzip.zip"

    def __init__(self, root, split, train=True, transform=None, target_transform=None, download=False):
        self.split = split
        super().__init__(root, train, transform, target_transform, download)
        digits, lower, upper = "0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        merged = [*digits, *upper, *(letter for letter in lower if letter not in "cijklmopsuvwxyz")]
        named = {
            "byclass": [*digits, *upper, *lower],
            "letters": ["N/A", *lower],
            "bymerge": merged,
            "balanced": merged,
        }
        self.classes = named.get(split, [*digits])

    def read(self, name):
        part, kind = name.split("-", 1)
        return super().read(f"emnist-{self.split}-{'train' if part == 'train' else 'test'}-{kind}")

    def download(self):
        folder = Path(self.raw_folder)
        if not any(folder.glob(f"emnist-{self.split}-*-ubyte")):
            packed = folder / "gzip.zip"
            download_file([self.url], packed)
            with zipfile.ZipFile(packed) as archive:
                for name in archive.namelist():
                    if name.endswith(".gz"):
                        (folder / Path(name).stem).write_bytes(gzip.decompress(archive.read(name)))


class CIFAR10(VisionDataset):
    """torchvision.datasets.CIFAR10: the files `ROOT/cifar-10-batches-py/*`."""

    base_folder = "cifar-10-batches-py"
    url = "https://www.cs.toronto.edu/~kriz/cifar-10-python.tar.gz"
    train_files, test_files = [f"data_batch_{i}" for i in range(1, 6)], ["test_batch"]
    meta_file, labels, names = "batches.meta", "labels", "label_names"

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.train = train
        if download:
            self.download()
        entries = [self.read(name) for name in (self.train_files if train else self.test_files)]
        self.data = np.vstack([entry["data"] for entry in entries]).reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
        self.targets = [label for entry in entries for label in entry[self.labels]]
        self.classes = self.read(self.meta_file)[self.names]
        self.class_to_idx = {name: i for i, name in enumerate(self.classes)}

    def read(self, name):
        """What one of the files holds."""
        path = Path(self.root, self.base_folder, name)
        if not path.is_file():
            raise RuntimeError(f"there is no {path}; download=True downloads it")
        with path.open("rb") as file:
            return pickle.load(file, encoding="latin1")

    def download(self):
        files = (*self.train_files, *self.test_files, self.meta_file)
        if all(Path(self.root, self.base_folder, name).is_file() for name in files):
            return
        packed = Path(self.root, self.url.rpartition("/")[2])
        download_file([self.url], packed)
        with tarfile.open(packed) as archive:
            archive.extractall(self.root, filter="data")

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return self.transformed(Image.fromarray(self.data[index]), self.targets[index])


class CIFAR100(CIFAR10):
    """torchvision.datasets.CIFAR100: the files `ROOT/cifar-100-python/*`."""

    base_folder = "cifar-100-python"
    url = "https://www.cs.toronto.edu/~kriz/cifar-100-python.tar.gz"
    train_files, test_files = ["train"], ["test"]
    meta_file, labels, names = "meta", "fine_labels", "fine_label_names"


class SVHN(VisionDataset):
    """torchvision.datasets.SVHN: the files `ROOT/*_32x32.mat`, which SciPy reads."""

    def __init__(self, root, split="train", transform=None, target_transform=None, download=False):
        from scipy.io import loadmat

        super().__init__(root, transform=transform, target_transform=target_transform)
        self.split = split
        path = Path(self.root, f"{split}_32x32.mat")
        if download and not path.is_file():
            download_file([f"http://ufldl.stanford.edu/housenumbers/{path.name}"], path)
        loaded = loadmat(path)
        self.data = loaded["X"].transpose(3, 2, 0, 1)
        self.labels = loaded["y"].astype(np.int64).squeeze() % 10  # the digit 0 has the label 10

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return self.transformed(Image.fromarray(self.data[index].transpose(1, 2, 0)), int(self.labels[index]))


class STL10(VisionDataset):
    """torchvision.datasets.STL10: the files `ROOT/stl10_binary/*.bin`."""

    url = "http://ai.stanford.edu/~acoates/stl10/stl10_binary.tar.gz"

    def __init__(self, root, split="train", folds=None, transform=None, target_transform=None, download=False):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.split, self.folds = split, folds
        self.folder = Path(self.root, "stl10_binary")
        if download and not self.folder.is_dir():
            packed = Path(self.root, "stl10_binary.tar.gz")
            download_file([self.url], packed)
            with tarfile.open(packed) as archive:
                archive.extractall(self.root, filter="data")
        parts = [self.read(part) for part in split.split("+")]
        self.data = np.concatenate([data for data, _ in parts])
        self.labels = np.concatenate([labels for _, labels in parts])
        names = self.folder / "class_names.txt"
        if names.is_file():
            self.classes = names.read_text().splitlines()

    def read(self, part):
        """The pictures of a part, and their labels: -1 where there are none."""
        data = np.fromfile(self.folder / f"{part}_X.bin", np.uint8).reshape(-1, 3, 96, 96).transpose(0, 1, 3, 2)
        if part == "unlabeled":
            return data, np.full(len(data), -1)
        labels = np.fromfile(self.folder / f"{part}_y.bin", np.uint8) - 1
        if part == "test" or self.folds is None:
            return data, labels
        chosen = np.array((self.folder / "fold_indices.txt").read_text().splitlines()[self.folds].split(), np.int64)
        return data[chosen], labels[chosen]

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return self.transformed(Image.fromarray(self.data[index].transpose(1, 2, 0)), int(self.labels[index]))


class LSUN(VisionDataset):
    """torchvision.datasets.LSUN: the databases `ROOT/<category>_<part>_lmdb`, which lmdb reads."""

    categories = (
        "bedroom bridge church_outdoor classroom conference_room dining_room kitchen living_room restaurant tower"
    )

    def __init__(self, root, classes="train", transform=None, target_transform=None):
        import lmdb

        super().__init__(root, transform=transform, target_transform=target_transform)
        if isinstance(classes, str):
            classes = ["test"] if classes == "test" else [f"{name}_{classes}" for name in self.categories.split()]
        self.classes, self.samples = classes, []
        for target, name in enumerate(classes):
            database = lmdb.open(os.path.join(root, f"{name}_lmdb"), readonly=True, lock=False, readahead=False)
            with database.begin() as reading:
                self.samples += [(database, key, target) for key in reading.cursor().iternext(values=False)]

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, index):
        database, key, target = self.samples[index]
        with database.begin() as reading:
            img = Image.open(io.BytesIO(reading.get(key))).convert("RGB")
        return self.transformed(img, target)


class FakeData(VisionDataset):
    """torchvision.datasets.FakeData: noise, the same for an index at every time."""

    def __init__(
        self, size=1000, image_size=(3, 224, 224), num_classes=10, transform=None, target_transform=None, random_offset=0
    ):  # fmt: skip
        super().__init__(transform=transform, target_transform=target_transform)
        self.size, self.image_size, self.num_classes, self.random_offset = size, image_size, num_classes, random_offset

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        if index >= len(self):
            raise IndexError(f"there are {len(self)} samples, no {index}")
        rng = np.random.default_rng(index + self.random_offset)
        pixels = (rng.standard_normal(self.image_size) * 255).astype(np.int64).astype(np.uint8)
        return self.transformed(to_pil_image(np.moveaxis(pixels, 0, -1)), int(rng.integers(self.num_classes)))


IMG_EXTENSIONS = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")


def pil_loader(path):
    """torchvision.datasets.folder.pil_loader (and default_loader): a file as a picture of three colors."""
    with Path(path).open("rb") as file:
        return Image.open(file).convert("RGB")


def find_classes(directory):
    """torchvision.datasets.folder.find_classes: the folders in a folder, and their numbers."""
    classes = sorted(entry.name for entry in os.scandir(directory) if entry.is_dir())
    if not classes:
        raise FileNotFoundError(f"there are no folders in {directory}")
    return classes, {name: i for i, name in enumerate(classes)}


def make_dataset(directory, class_to_idx=None, extensions=None, is_valid_file=None, allow_empty=False):
    """torchvision.datasets.folder.make_dataset: pairs of a path and the number of its folder."""
    directory = os.path.expanduser(directory)
    class_to_idx = find_classes(directory)[1] if class_to_idx is None else class_to_idx
    if extensions is not None:
        endings = extensions if isinstance(extensions, str) else tuple(extensions)
        is_valid_file = lambda path: path.lower().endswith(endings)
    samples = []
    for name in sorted(class_to_idx):
        found = [
            (path, class_to_idx[name])
            for folder, _, files in sorted(os.walk(os.path.join(directory, name), followlinks=True))
            for path in (os.path.join(folder, file) for file in sorted(files))
            if is_valid_file(path)
        ]
        if not found and not allow_empty:
            raise FileNotFoundError(f"there are no files of the class {name} in {directory}")
        samples += found
    return samples


class DatasetFolder(VisionDataset):
    """torchvision.datasets.DatasetFolder: the files `ROOT/CLASS/*`."""

    def __init__(
        self, root, loader, extensions=None, transform=None, target_transform=None, is_valid_file=None, allow_empty=False
    ):  # fmt: skip
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.classes, self.class_to_idx = self.find_classes(self.root)
        self.samples = self.make_dataset(self.root, self.class_to_idx, extensions, is_valid_file, allow_empty)
        self.loader, self.extensions = loader, extensions
        self.targets = [target for _, target in self.samples]

    @staticmethod
    def make_dataset(directory, class_to_idx, extensions=None, is_valid_file=None, allow_empty=False):
        return make_dataset(directory, class_to_idx, extensions, is_valid_file, allow_empty)

    def find_classes(self, directory):
        return find_classes(directory)

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, index):
        path, target = self.samples[index]
        return self.transformed(self.loader(path), target)


class ImageFolder(DatasetFolder):
    """torchvision.datasets.ImageFolder: the pictures `ROOT/CLASS/*`."""

    def __init__(
        self, root, transform=None, target_transform=None, loader=pil_loader, is_valid_file=None, allow_empty=False
    ):  # fmt: skip
        extensions = IMG_EXTENSIONS if is_valid_file is None else None
        super().__init__(root, loader, extensions, transform, target_transform, is_valid_file, allow_empty)
        self.imgs = self.samples


class CocoDetection(VisionDataset):
    """torchvision.datasets.CocoDetection: pictures with what pycocotools reads of them."""

    def __init__(self, root, annFile, transform=None, target_transform=None, transforms=None):
        from pycocotools.coco import COCO

        super().__init__(root, transforms, transform, target_transform)
        self.coco = COCO(annFile)
        self.ids = sorted(self.coco.imgs)

    def __len__(self):
        return len(self.ids)

    def _load_image(self, id):
        return pil_loader(os.path.join(self.root, self.coco.loadImgs(id)[0]["file_name"]))

    def _load_target(self, id):
        return self.coco.loadAnns(self.coco.getAnnIds(id))

    def __getitem__(self, index):
        image, target = self._load_image(self.ids[index]), self._load_target(self.ids[index])
        return self.transformed(image, target) if self.transforms is None else self.transforms(image, target)


class CocoCaptions(CocoDetection):
    """torchvision.datasets.CocoCaptions: pictures with their captions."""

    def _load_target(self, id):
        return [item["caption"] for item in super()._load_target(id)]
