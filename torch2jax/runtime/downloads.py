"""Files from the network."""

import hashlib
import urllib.request
from pathlib import Path


def download_url_to_file(url, dst, hash_prefix=None, progress=True):
    """torch.hub.download_url_to_file: the file appears when it is complete, and its hash begins as it should."""
    part = Path(f"{dst}.part")
    urllib.request.urlretrieve(url, part)
    digest = hashlib.sha256(part.read_bytes()).hexdigest()
    if hash_prefix is not None and not digest.startswith(hash_prefix):
        part.unlink()
        raise RuntimeError(f'invalid hash value (expected "{hash_prefix}", got "{digest}")')
    part.replace(dst)


def download_url(url, root, filename=None, md5=None, max_redirect_hops=3):
    """torchvision.datasets.utils.download_url: nothing is downloaded that is there already."""
    folder = Path(root).expanduser()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / (filename or url.split("?")[0].rpartition("/")[2])
    if not (path.is_file() and is_intact(path, md5)):
        urllib.request.urlretrieve(url, path)
    if not is_intact(path, md5):
        raise RuntimeError("File not found or corrupted.")


def is_intact(path, md5=None):
    """Whether a file has the given hash; any has if none is given."""
    return md5 is None or hashlib.md5(path.read_bytes()).hexdigest() == md5
