"""Parameters by torch's names: state dicts of Equinox models, and files of torch and safetensors without torch."""

import argparse
import codecs
import collections
import dataclasses
import functools
import io
import json
import math
import os
import pickle
import struct
import sys
import urllib.request
import zipfile
from pathlib import Path, PurePath
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

from torch2jax.runtime.buffers import is_buffer
from torch2jax.runtime.loading import IncompatibleKeys, host_array


class TorchEntry(NamedTuple):
    """A parameter or buffer of a model: torch's name and shape, and where the model keeps it."""

    name: str
    shape: tuple
    path: tuple
    value: Any  # an array, the StateIndex of a buffer in the state, or None for what is absent or tied
    is_parameter: bool


def torch_fields(tree):
    """`(torch name, step, value)` of the direct members of a module or container, in torch's order."""
    if isinstance(tree, eqx.nn.Sequential) and hasattr(tree, "names"):
        return [(name, name, getattr(tree, name)) for name in tree.names]
    if isinstance(tree, eqx.Module):
        members = []
        for field in dataclasses.fields(tree):
            name = field.metadata.get("torch_name", field.name)
            if name is None or field.metadata.get("static"):
                continue  # a constant, or a buffer that torch does not save
            unnamed = isinstance(tree, eqx.nn.Sequential) and name == "layers"
            members.append(("" if unnamed else name, field.name, getattr(tree, field.name, None)))
        return sorted(members, key=lambda member: field_rank(tree, *member[1:]))
    pairs = tree.items() if isinstance(tree, dict) else enumerate(tree)
    return [(str(key), key, value) for key, value in pairs]


def field_rank(module, field_name, value):
    """torch lists the parameters (0) of a module first, then its buffers (1), then its submodules (2)."""
    if value is None:
        return 0
    if not (eqx.is_array(value) or isinstance(value, eqx.nn.StateIndex)):
        return 2
    marks = type(module).__dataclass_fields__[field_name].metadata
    if marks.get("parameter"):
        return 0
    return 1 if is_buffer(module, field_name) or isinstance(value, np.ndarray) or not eqx.is_inexact_array(value) else 0


def torch_entries(tree, prefix="", path=()):
    """All parameters and buffers of a model as `TorchEntry`s, in the order of torch's state dict."""
    entries = []
    for name, step, value in torch_fields(tree):
        full = prefix + name
        if value is None or eqx.is_array(value) or isinstance(value, eqx.nn.StateIndex):
            listed = field_rank(tree, step, value) == 0 if isinstance(tree, eqx.Module) else eqx.is_inexact_array(value)
            shape = getattr(value, "shape", ())
            if isinstance(tree, (eqx.nn.Conv, eqx.nn.ConvTranspose)) and step == "bias":
                shape = shape[:1]
            entries.append(TorchEntry(full, shape, (*path, step), value, listed and eqx.is_array(value)))
        elif isinstance(value, (eqx.Module, list, tuple, dict)):
            entries += torch_entries(value, full + "." if name else prefix, (*path, step))
    return entries


def follow_path(tree, path):
    """The part of a model at `path`: attribute names, list indices and dict keys."""
    return functools.reduce(lambda x, step: getattr(x, step) if isinstance(x, eqx.Module) else x[step], path, tree)


def is_empty(value, state):
    """Whether a field of a module is a buffer that has no value so far."""
    return isinstance(value, eqx.nn.StateIndex) and state is not None and state.get(value) is None


def tied_weights(tree, prefix=""):
    """torch's names of the parameters that modules hold under one of two names, with the other one."""
    tied = {}
    for kind in reversed(type(tree).__mro__):
        for name, kept in vars(kind).get("tied_weights", {}).items():
            tied[prefix + name] = prefix + kept
    for name, _, value in torch_fields(tree):
        if isinstance(value, (eqx.Module, list, tuple, dict)) and not isinstance(value, eqx.nn.StateIndex):
            tied |= tied_weights(value, f"{prefix}{name}." if name else prefix)
    return tied


def state_dict(model, state=None):
    """torch's state_dict: NumPy arrays by torch's names, with the buffers that live in `state`, tied ones at each place."""
    entries, tied = {}, tied_weights(model)
    for name, shape, _, value, _ in torch_entries(model):
        if isinstance(value, eqx.nn.StateIndex):
            if state is None and not (value.init is None or eqx.is_array(value.init)):
                raise ValueError(f"{name} lives in the model's state: call state_dict(model, state)")
            value = value.init if state is None else state.get(value)  # while the model is made: what it begins with
            shape = getattr(value, "shape", ())
        if value is not None or name in tied:
            entries[name] = None if value is None else host_array(value).reshape(shape)
    for name in entries:
        kept = name
        while entries[kept] is None:
            kept = tied[kept]
        entries[name] = entries[kept]
    return entries


def load_state_dict(model, state_dict, strict=True, *, state=None):
    """The model (with `state`: the model and the state) with the values of a torch state dict, by torch's names.

    Missing, unexpected and misshapen entries are one ValueError; strict=False allows the first two."""
    arrays = {name: host_array(value) for name, value in state_dict.items()}
    entries = torch_entries(model)
    state = jax.tree.map(lambda x: x, state)  # `state.set` makes its receiver invalid
    given = [e for e in entries if not is_empty(e.value, state)]
    wanted = {e.name: e for e in given if e.value is not None}
    tied = {e.name for e in entries if e.value is None}
    problems, paths, values = [], [], []
    for name, entry in wanted.items():
        stateful, path = isinstance(entry.value, eqx.nn.StateIndex), entry.path
        old = state.get(entry.value) if stateful and state is not None else entry.value
        if stateful and state is None:  # of a part of a model that is being made: what its state begins with
            if not eqx.is_array(entry.value.init):
                raise ValueError(
                    f"{name} lives in the model's state: call load_state_dict(model, state_dict, state=state)"
                )
            old, path = entry.value.init, (*path, "init")
        shape = old.shape if stateful else entry.shape
        if name not in arrays:
            problems += [f"missing {name} {shape}"] if strict else []
        elif arrays[name].shape != shape:
            problems.append(f"misshapen {name}: {arrays[name].shape} in the file, {shape} in the model")
        elif stateful and state is not None:
            state = state.set(entry.value, jnp.asarray(arrays[name], old.dtype))
        else:
            new = arrays[name].reshape(old.shape).astype(old.dtype)
            paths.append(path)
            values.append(new if isinstance(old, np.ndarray) else jnp.asarray(new))
    for name in arrays.keys() - wanted.keys() if strict else ():
        twins = (arrays[other] for other in wanted if other in arrays)
        if name not in tied or not any(np.array_equal(arrays[name], twin) for twin in twins):
            problems.append(f"unexpected {name} {arrays[name].shape}")
    if problems:
        raise ValueError("the state dict does not fit the model:\n  " + "\n  ".join(sorted(problems)))
    if paths:
        model = eqx.tree_at(lambda m: [follow_path(m, path) for path in paths], model, values)
    return model if state is None else (model, state)


def load_own(module, state_dict, strict=True, *, state=None):
    """torch's `self.load_state_dict(values)` inside `__init__`: what the module has by now gets other values, and the state."""
    loaded = load_state_dict(module, state_dict, strict, state=state)
    loaded, state = (loaded, None) if state is None else loaded
    for name in vars(module):
        setattr(module, name, getattr(loaded, name))
    return state


def incompatible_keys(model, state_dict):
    """The names that do not fit when a model loads a state dict, tied ones once.

    torch does not miss the counters of batches, which files of its first versions lack."""
    entries = torch_entries(model)
    wanted, known = [e.name for e in entries if e.value is not None], {e.name for e in entries}
    missing = [n for n in wanted if n not in state_dict and not n.endswith("num_batches_tracked")]
    return IncompatibleKeys(missing, [name for name in state_dict if name not in known])


def named_parameters(model, recurse=True):
    """torch's named_parameters: `(name, array)` of the trainable arrays, in torch's shapes, tied ones once."""
    listed = [entry for entry in torch_entries(model) if entry.is_parameter and (recurse or "." not in entry.name)]
    entries = {id(entry.value): entry for entry in reversed(listed)}
    return [(entry.name, torch_view(entry.value, entry.shape)) for entry in reversed(entries.values())]


def torch_view(array, shape):
    """A parameter in torch's shape: one object, whenever it is asked for, since programs compare parameters by what they are."""
    if array.shape == shape:
        return array
    if isinstance(array, jax.core.Tracer):
        return array.reshape(shape)
    if not hasattr(array, "torch_view"):
        array.torch_view = array.reshape(shape)
    return array.torch_view


def parameters(model, recurse=True):
    """torch's parameters: the trainable arrays, tied ones once."""
    return [value for _, value in named_parameters(model, recurse)]


def named_children(module):
    """torch's named_children: `(name, module)` of the parts of a module or container; lists and dicts of modules are such."""
    children = []
    for name, _, value in torch_fields(module):
        is_module = isinstance(value, eqx.Module) and not isinstance(value, eqx.nn.StateIndex)
        is_container = isinstance(value, (list, tuple, dict)) and any(
            isinstance(leaf, eqx.Module) for leaf in jax.tree.leaves(value, is_leaf=lambda x: isinstance(x, eqx.Module))
        )
        if (is_module or is_container) and not any(value is other for _, other in children):
            if name:
                children.append((name, value))
            else:
                children += named_children(value)
    return children


def children(module):
    """torch's children: the parts of a module or container."""
    return [child for _, child in named_children(module)]


def named_modules(module, prefix=""):
    """torch's named_modules: `(name, module)` of a module, its parts, their parts, and so on."""
    found = [(prefix, module)]
    for name, child in named_children(module):
        found += named_modules(child, f"{prefix}.{name}" if prefix else name)
    return found


def modules(module):
    """torch's modules: a module, its parts, their parts, and so on."""
    return [part for _, part in named_modules(module)]


def torch_buffers(tree, prefix=""):
    """`(name, value)` of the buffers of a model, those of a module before those of its parts, also those that torch does not
    save."""
    own, below, members, order = [], [], torch_fields(tree), []
    if isinstance(tree, eqx.Module):
        marks = {field.name: field.metadata for field in dataclasses.fields(tree)}
        order = list(marks)
        hides = lambda name: marks[name].get("buffer") and marks[name].get("torch_name", name) is None
        hidden = [name for name in order if hides(name) and not marks[name].get("unregistered")]
        members += [(name, name, getattr(tree, name)) for name in hidden]
    for name, step, value in sorted(members, key=lambda m: order.index(m[1]) if m[1] in order else 0):
        if isinstance(tree, eqx.Module) and field_rank(tree, step, value) == 1:
            own.append((prefix + name, value))
        elif isinstance(value, (eqx.Module, list, tuple, dict)):
            below += torch_buffers(value, prefix + name + "." if name else prefix)
    return own + below


def named_buffers(model, state=None):
    """torch's named_buffers: `(name, array)` of the buffers, each once, with those that live in `state`."""
    found = [(name, value) for name, value in torch_buffers(model) if not is_empty(value, state)]
    if state is None and any(isinstance(value, eqx.nn.StateIndex) for _, value in found):
        raise ValueError("some buffers live in the model's state: call named_buffers(model, state)")
    found = list({id(value): (name, value) for name, value in reversed(found)}.values())[::-1]
    return [(name, state.get(value) if isinstance(value, eqx.nn.StateIndex) else value) for name, value in found]


def buffers(model, state=None):
    """torch's buffers, also those that a state dict does not hold."""
    return [buffer for _, buffer in named_buffers(model, state)]


def tree_entries(tree):
    """The arrays of any pytree (an optimizer state, say) by their paths, to be stored with `save`."""
    leaves, _ = jax.tree_util.tree_flatten_with_path(eqx.filter(tree, eqx.is_array))
    return {jax.tree_util.keystr(path): np.asarray(leaf) for path, leaf in leaves}


def restore_tree(tree, entries):
    """`tree` with the arrays that `tree_entries` collected."""
    wanted = tree_entries(tree)
    if wanted.keys() != entries.keys() or any(wanted[key].shape != np.shape(entries[key]) for key in wanted):
        raise ValueError("what was saved is not the state of such a tree: states that torch wrote cannot be read")
    restore = lambda path, leaf: jnp.asarray(entries[jax.tree_util.keystr(path)]) if eqx.is_array(leaf) else leaf
    return jax.tree_util.tree_map_with_path(restore, tree)


def torch_dtypes():
    """NumPy's dtype for every storage class and dtype name of torch."""
    names = {
        "DoubleStorage": "float64", "FloatStorage": "float32", "HalfStorage": "float16", "LongStorage": "int64",
        "IntStorage": "int32", "ShortStorage": "int16", "CharStorage": "int8", "ByteStorage": "uint8",
        "BoolStorage": "bool", "ComplexDoubleStorage": "complex128", "ComplexFloatStorage": "complex64",
    }  # fmt: skip
    plain = "float64 float32 float16 int64 int32 int16 int8 uint64 uint32 uint16 uint8 bool complex128 complex64"
    dtypes = {name: np.dtype(name) for name in plain.split()} | {old: np.dtype(new) for old, new in names.items()}
    for name in ("bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz"):
        dtypes[name] = np.dtype(getattr(ml_dtypes, name))
    return dtypes | {"BFloat16Storage": dtypes["bfloat16"]}


def rebuild_tensor(storage, offset, size, stride, *rest):
    """A tensor of a torch file: `size` and `stride` over the elements of a storage."""
    dtype = next((x for x in rest if isinstance(x, np.dtype)), storage.dtype)
    storage = storage.view(dtype)
    last = offset + sum((n - 1) * step for n, step in zip(size, stride))
    if min((offset, *size, *stride)) < 0 or (math.prod(size) and last >= storage.size):
        raise pickle.UnpicklingError("a tensor reaches beyond its storage")
    strides = [step * storage.itemsize for step in stride]
    return np.lib.stride_tricks.as_strided(storage[offset:], size, strides).copy()


def plain_classes():
    """Classes without methods of their own making that files hold beside arrays, by the names that pickle has for them."""
    plain = (collections.OrderedDict, collections.defaultdict, collections.Counter, argparse.Namespace, set, frozenset, complex,
             bytearray, slice, range, list, dict, int, float, np.ndarray, np.dtype)  # fmt: skip
    named = {f"{kind.__module__}.{kind.__qualname__}": kind for kind in plain}
    named |= {name.replace("builtins.", "__builtin__."): kind for name, kind in named.items()}
    paths = {f"pathlib.{name}": PurePath for name in ("PosixPath", "WindowsPath", "Path", "PurePosixPath")}
    arrays = {
        f"numpy.{core}.multiarray.{name}": np.empty(0).__reduce__()[0] if name == "_reconstruct" else numpy_scalar
        for core in ("core", "_core")
        for name in ("scalar", "_reconstruct")
    }
    return named | paths | arrays | {"_codecs.encode": codecs.encode}


def numpy_scalar(dtype, data):
    """A number of NumPy from its bytes."""
    return np.frombuffer(data, dtype)[0]


class TensorUnpickler(pickle.Unpickler):
    """Reads arrays and plain containers from a file of torch.save; refuses everything else if `weights_only`, and runs no code then."""

    def __init__(self, file, read_storage, weights_only=True):
        super().__init__(file)
        self.read_storage, self.weights_only = read_storage, weights_only

    def find_class(self, module, name):
        known = plain_classes() | {
            "torch._utils._rebuild_tensor_v2": rebuild_tensor,
            "torch._utils._rebuild_tensor_v3": rebuild_tensor,
            "torch._utils._rebuild_parameter": lambda data, requires_grad, hooks: data,
            "torch.Size": tuple,
            "torch.storage.UntypedStorage": np.dtype("uint8"),
            "torch.torch_version.TorchVersion": str,
            "torch.device": lambda *args: ":".join(map(str, args)),
        }
        if module == "torch":
            known |= {f"torch.{dtype_name}": dtype for dtype_name, dtype in torch_dtypes().items()}
        if f"{module}.{name}" not in known:
            if not self.weights_only:  # an object of a class of the program
                return super().find_class(module, name)
            raise pickle.UnpicklingError(f"{module}.{name} in the file: only arrays, numbers and containers are read")
        return known[f"{module}.{name}"]

    def persistent_load(self, pid):
        _, dtype, key, _, _ = pid
        return self.read_storage(dtype, key)


def is_safetensors(file):
    """Whether a file has the name of a safetensors file; files that are open are torch's."""
    return isinstance(file, (str, os.PathLike)) and Path(file).suffix == ".safetensors"


MODULES = "archive/modules.pkl"


def load(path, weights_only=True):
    """What torch.load reads, without torch: nested containers of NumPy arrays from a `.pt` or `.safetensors` file, or one
    that is open."""
    if is_safetensors(path):
        return load_safetensors(path)
    if not zipfile.is_zipfile(path):
        raise ValueError(f"{path} is not a zip file as torch.save writes it (since torch 1.6)")
    with zipfile.ZipFile(path) as archive:
        if MODULES in archive.namelist():
            return pickle.loads(archive.read(MODULES))
        root = next(name for name in archive.namelist() if name.endswith("/data.pkl")).removesuffix("data.pkl")
        if f"{root}byteorder" in archive.namelist() and archive.read(f"{root}byteorder") != b"little":
            raise ValueError(f"{path} was written on a big-endian machine")
        read = functools.cache(lambda dtype, key: np.frombuffer(archive.read(f"{root}data/{key}"), dtype))
        with archive.open(f"{root}data.pkl") as file:
            return TensorUnpickler(file, read, weights_only).load()


def load_as_given(f, map_location=None, pickle_module=None, *, weights_only=True, mmap=None, **pickle_load_args):
    """torch.load where its arguments are not written out: where tensors lie is nothing to arrays."""
    return load(f, weights_only)


def load_state_dict_from_url(
    url, model_dir=None, map_location=None, progress=True, check_hash=False, file_name=None, weights_only=False
):  # fmt: skip
    """torch.hub.load_state_dict_from_url: the file is kept where torch keeps it, and downloaded if it is not there."""
    home = os.environ.get("TORCH_HOME", Path("~/.cache/torch").expanduser())
    folder = Path(model_dir) if model_dir is not None else Path(home, "hub", "checkpoints")
    path = folder / (file_name or url.split("?")[0].rpartition("/")[2])
    if not path.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.part")
        urllib.request.urlretrieve(url, part)
        part.replace(path)
    return load(path)


def save(obj, path):
    """Write nested containers of arrays as torch.save does (torch.load reads them), to a path or an open file."""
    if is_safetensors(path):
        save_safetensors(obj, path)
        return
    arrays = []
    data = b"\x80\x02" + pickle_plain(obj, arrays) + b"."
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", data)
        archive.writestr("archive/byteorder", "little")
        for key, array in enumerate(arrays):
            archive.writestr(f"archive/data/{key}", array.tobytes())
        archive.writestr("archive/version", "3\n")


class ModulePickler(pickle.Pickler):
    """Pickles modules, and functions of JAX, which pickle does not find by itself, by their names."""

    def reducer_override(self, obj):
        name, home = getattr(obj, "__qualname__", None), sys.modules.get(getattr(obj, "__module__", None))
        return name if isinstance(name, str) and getattr(home, name, None) is obj else NotImplemented


def save_modules(obj, path):
    """torch.save of whole modules, with their classes by name: `load` reads them where these can be imported."""
    data = io.BytesIO()
    ModulePickler(data).dump(obj)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(MODULES, data.getvalue())


def save_as_given(obj, f, pickle_module=None, pickle_protocol=2, _use_new_zipfile_serialization=True):
    """torch.save where its arguments are not written out: there is one format."""
    save(obj, f)


def pickle_plain(obj, arrays):
    """The pickle of an array (appended to `arrays`), a number, a string, None, a container of these or an object that has them."""
    dump = lambda *items: b"".join(pickle_plain(item, arrays) for item in items)
    match obj:
        case None | True | False:
            return {None: b"N", True: b"\x88", False: b"\x89"}[obj]
        case np.generic() if not obj.dtype.hasobject:
            return dump(obj.item())
        case int():
            digits = obj.to_bytes(obj.bit_length() // 8 + 1, "little", signed=True)
            return b"\x8a" + bytes([len(digits)]) + digits
        case float():
            return b"G" + struct.pack(">d", obj)
        case str():
            text = obj.encode()
            return b"X" + struct.pack("<I", len(text)) + text
        case dict():
            items = [x for item in obj.items() for x in item]
            kind = b"ccollections\nOrderedDict\n)R" if isinstance(obj, collections.OrderedDict) else b"}"
            return kind + b"(" + dump(*items) + b"u"
        case list():
            return b"](" + dump(*obj) + b"e"
        case set() | frozenset():
            return b"c__builtin__\n" + type(obj).__name__.encode() + b"\n(" + dump(list(obj)) + b"tR"
        case argparse.Namespace():
            return b"cargparse\nNamespace\n)\x81" + dump(vars(obj)) + b"b"
        case os.PathLike():
            return dump(os.fspath(obj))
        case tuple():
            return b"(" + dump(*obj) + b"t"
        case np.ndarray() | jax.Array():
            array = np.asarray(obj)
            kinds = {dtype: name for name, dtype in torch_dtypes().items() if name.endswith("Storage")}
            if array.dtype not in kinds:
                raise TypeError(f"torch has no storage for {array.dtype}")
            strides = tuple(math.prod(array.shape[axis + 1 :]) for axis in range(array.ndim))
            storage = b"ctorch\n" + kinds[array.dtype].encode() + b"\n" + dump(str(len(arrays)), "cpu", array.size)
            arrays.append(array)
            tensor = dump(0, array.shape, strides, False, collections.OrderedDict())
            return b"ctorch._utils\n_rebuild_tensor_v2\n((" + dump("storage") + storage + b"tQ" + tensor + b"tR"
    if hasattr(type(obj), "without_hash"):  # options that a model keeps
        return dump(obj.without_hash())
    if is_plain_object(obj):
        kind = type(obj)
        return f"c{kind.__module__}\n{kind.__qualname__}\n".encode() + b")\x81" + dump(vars(obj)) + b"b"
    raise TypeError(f"cannot save a {type(obj).__name__}: only arrays, numbers, strings and containers of them")


def is_plain_object(obj):
    """Whether an object is all in its fields, and pickle finds its class by name."""
    kind = type(obj)
    is_found = getattr(sys.modules.get(kind.__module__), kind.__qualname__, None) is kind
    is_usual = kind.__reduce_ex__ is object.__reduce_ex__ and kind.__reduce__ is object.__reduce__
    return is_found and is_usual and hasattr(obj, "__dict__") and jax.tree_util.all_leaves([obj])


def safetensors_dtypes():
    """The dtype names of safetensors and NumPy's dtypes."""
    names = {"F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16", "BOOL": "bool"}
    names |= {f"I{8 * n}": f"int{8 * n}" for n in (1, 2, 4, 8)} | {f"U{8 * n}": f"uint{8 * n}" for n in (1, 2, 4, 8)}
    names |= {"F8_E4M3": "float8_e4m3fn", "F8_E5M2": "float8_e5m2", "C64": "complex64"}
    return {name: torch_dtypes()[dtype] for name, dtype in names.items()}


def load_safetensors(path):
    """The arrays of a `.safetensors` file by name."""
    data = Path(path).read_bytes()
    start = 8 + struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:start])
    header.pop("__metadata__", None)
    arrays = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        array = np.frombuffer(data[start + begin : start + end], safetensors_dtypes()[entry["dtype"]])
        arrays[name] = array.reshape(entry["shape"])
    return arrays


def save_safetensors(arrays, path):
    """Write a dict of arrays as a `.safetensors` file."""
    kinds = {dtype: name for name, dtype in safetensors_dtypes().items()}
    header, blocks, end = {}, [], 0
    for name, array in arrays.items():
        array = np.asarray(array)
        begin, end = end, end + array.nbytes
        header[name] = {"dtype": kinds[array.dtype], "shape": list(array.shape), "data_offsets": [begin, end]}
        blocks.append(array.tobytes())
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    Path(path).write_bytes(b"".join([struct.pack("<Q", len(text)), text, *blocks]))
