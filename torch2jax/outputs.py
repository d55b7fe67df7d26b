"""Write files so that nothing is half-written and nothing that a person wrote is lost.

A file may be replaced without being asked for if its bytes were written by torch2jax. What was written is remembered by
SHA-256 in one small list per user (`$XDG_STATE_HOME/torch2jax/written`, else `~/.local/state/...`), so that neither the
outputs nor their folders carry marks. Where the list is lost or cannot be kept, `--force` is needed: the safe side.
"""

import contextlib
import hashlib
import os
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

_DIGEST_LINE = 65
_KEPT_DIGESTS = 50_000


class OutputError(Exception):
    """An output cannot or must not be written; the message is one line for the user."""


def check_place(path: Path) -> None:
    """Raise OutputError if no file can be written at `path`, as far as that can be told without writing."""
    if path.is_dir() or str(path).endswith(os.sep):
        raise OutputError(f"the output {path} is a directory, and a file is needed")
    if path.exists():
        if not os.access(path, os.W_OK):
            raise OutputError(f"the output {path} cannot be written: no permission")
        return
    folder = path.parent
    if not folder.is_dir():
        reason = "is not a directory" if folder.exists() else "does not exist"
        raise OutputError(f"the output {path} cannot be written: {folder} {reason}")
    if not os.access(folder, os.W_OK):
        raise OutputError(f"the output {path} cannot be written: no permission for {folder}")


def check_replaceable(path: Path, data: bytes) -> None:
    """Raise OutputError if writing `data` to `path` would lose what torch2jax did not write."""
    if not path.is_file():
        return
    try:
        present = path.read_bytes()
    except OSError as error:
        raise OutputError(f"the output {path} exists and cannot be read: {error.strerror}") from error
    if present and present != data and _digest(present) not in _remembered():
        raise OutputError(
            f"{path} exists and was not made by torch2jax, or was edited since; --force overwrites it, -o names another"
        )


def write_all(files: Mapping[Path, bytes]) -> None:
    """Write all files, each at once and completely. Nothing is replaced before all texts are safely on the disk."""
    staged: list[tuple[Path, Path]] = []
    try:
        for path, data in files.items():
            target = Path(os.path.realpath(path))
            try:
                if target.exists() and not target.is_file():
                    target.write_bytes(data)  # a device or pipe, such as /dev/null, is written to, not replaced
                else:
                    staged.append((_stage(target, data), target))
            except OSError as error:
                raise OutputError(f"the output {path} cannot be written: {error.strerror}") from error
        while staged:
            temporary, target = staged[0]
            try:
                temporary.replace(target)
            except OSError as error:
                raise OutputError(f"the output {target} cannot be written: {error.strerror}") from error
            staged.pop(0)
    finally:
        for temporary, _ in staged:
            temporary.unlink(missing_ok=True)


def remember(written: Iterable[bytes]) -> None:
    """Note that these bytes came from torch2jax. Where that is impossible the next run asks for `--force`."""
    path = _memory()
    digests = "".join(f"{_digest(data)}\n" for data in written)
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="ascii") as file:
            file.write(digests)
        if path.stat().st_size > 2 * _KEPT_DIGESTS * _DIGEST_LINE:
            write_all({path: path.read_bytes()[-_KEPT_DIGESTS * _DIGEST_LINE :]})


def _stage(target: Path, data: bytes) -> Path:
    """Write `data` beside `target` under a temporary name, with the permissions that `target` has or would get."""
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _remembered() -> frozenset[str]:
    try:
        return frozenset(_memory().read_text(encoding="ascii", errors="replace").split())
    except OSError:
        return frozenset()


def _memory() -> Path:
    state = os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(state) if state else Path("~/.local/state").expanduser()) / "torch2jax" / "written"


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
