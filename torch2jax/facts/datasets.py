"""What datasets, loaders and transforms of torch.utils.data and torchvision yield.

    transforms.Compose([transforms.ToTensor()])   a function that gives a tensor
    datasets.MNIST(root, transform=transform)     pairs of what the transform gives and an integer
    DataLoader(dataset, batch_size=8)             batches of these

Each is a function of the values of the arguments, by parameter or position; nothing is known of what is not listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import libcst as cst

from torch2jax.program.program import Program
from torch2jax.values import INT, NOTHING, STR, TENSOR, UNKNOWN, Kind, Value, join_all

DATA = "torch.utils.data."
DATASETS = "torchvision.datasets."
VISION = (DATASETS, "torchvision.transforms.", "torchvision.utils.")
_INT = Value(Kind.INT)
_IMAGE = Value(Kind.TENSOR, 3, "float32", types=frozenset({"host"}))
_SOME_IMAGE = Value(Kind.TENSOR, types=frozenset({"host"}))
_TO_TENSORS = {
    "ToTensor": _IMAGE, "to_tensor": _IMAGE, "PILToTensor": _IMAGE.but(dtype="uint8"), "pil_to_tensor": _IMAGE.but(dtype="uint8"),
    "Normalize": _SOME_IMAGE, "normalize": _SOME_IMAGE, "ConvertImageDtype": _SOME_IMAGE,
    "convert_image_dtype": _SOME_IMAGE, "RandomErasing": _SOME_IMAGE, "ToDtype": _SOME_IMAGE,
    "ToImage": _IMAGE.but(dtype="uint8"), "to_image": _IMAGE.but(dtype="uint8"),
    "ImageClassification": _SOME_IMAGE.but(dtype="float32"), "make_grid": _SOME_IMAGE, "LinearTransformation": _SOME_IMAGE,
}  # fmt: skip
_COPYING, _INPLACE = frozenset({"copying"}), frozenset({"inplace"})  # said of a transform
_DRAWING = frozenset({"drawing"})  # said of one that may draw
_TRACED = frozenset({"traced"})  # said of one that keeps arrays of JAX what they are
_ASIDE = _DRAWING | _TRACED
_RANDOM = ("Random", "ColorJitter", "GaussianBlur", "AutoAugment", "RandAugment", "TrivialAugment", "AugMix")
_LABELLED = {"MNIST": 2, "FashionMNIST": 2, "KMNIST": 2, "EMNIST": 3, "STL10": 3, "CIFAR10": 2, "CIFAR100": 2, "SVHN": 2, "FakeData": 3,
             "ImageFolder": 1, "DatasetFolder": 3}  # fmt: skip  # where `transform` stands among their parameters
_MNIST = {
    "data": Value(Kind.TENSOR, 3, "uint8", types=frozenset({"host"})),
    "targets": Value(Kind.TENSOR, 1, "int64", types=frozenset({"host"})),
}


def is_labelled(name: str) -> bool:
    """Whether something of torchvision is a dataset of pictures with labels."""
    return name.startswith(DATASETS) and name.removeprefix(DATASETS) in _LABELLED


def is_of(value: Value, places: tuple[str, ...] = VISION) -> bool:
    """Whether something is of torchvision, or one of several datasets there."""
    names = value.types if value.const is NOTHING else (str(value.const),)
    return value.kind is Kind.TORCH and any(name.startswith(places) for name in names)


def draws_on_host(program: Program, values: Callable[[cst.CSTNode], Value]) -> bool:
    """Whether loaders, samplers or transforms of a program draw numbers, here or in modules that it imports."""
    files = (program, *program.modules.values())
    return any(_draws(call, values) for file in files for call in file.index.calls)


def _draws(call: cst.Call, values: Callable[[cst.CSTNode], Value]) -> bool:
    made = values(call.func)
    name = str(made.const) if made.kind is Kind.TORCH else ""
    short = name.rpartition(".")[2]
    if name == f"{DATA}DataLoader":
        given = [
            item for item in call.args if item.star or (item.keyword is not None and item.keyword.value == "shuffle")
        ]
        return any(item.star or values(item.value).const is not False for item in given) or len(call.args) > 2
    if name.startswith(DATA):
        return "random" in short.lower()
    return name.startswith("torchvision.transforms.") and short.startswith(_RANDOM)


def transforms_given(
    program: Program, values: Callable[[cst.CSTNode], Value]
) -> Iterator[tuple[cst.BaseExpression, Value]]:
    """The objects of the program that transforms and datasets of torchvision are given and call, with the arguments they stand in."""
    for call in program.index.calls:
        made = values(call.func)
        if is_of(made, VISION[:2]):
            for item in call.args:
                for value in _objects(values(item.value)):
                    yield item.value, value


def _objects(value: Value) -> Iterator[Value]:
    if value.kind is Kind.OBJECT:
        yield value
    elif value.is_a(Kind.LIST, Kind.TUPLE):
        for part in value.parts:
            yield from _objects(part)


class Given:
    """The values given to a call: by keyword, else by position."""

    def __init__(self, node: cst.Call, arguments: Sequence[Value]) -> None:
        self.starred = any(argument.star for argument in node.args)
        pairs = list(zip(node.args, arguments, strict=True))
        self.named: Mapping[str, Value] = {a.keyword.value: value for a, value in pairs if a.keyword is not None}
        self.plain = [value for a, value in pairs if a.keyword is None and not a.star]

    def get(self, name: str, position: int | None = None) -> Value | None:
        if name in self.named or position is None or position >= len(self.plain):
            return self.named.get(name)
        return self.plain[position]


def vision_call(name: str, given: Given) -> Value:
    """What a call of torchvision gives."""
    short = name.rpartition(".")[2]
    if name.startswith(DATASETS):
        return dataset_made(short, given)
    if name.startswith("torchvision.transforms.") and short[:1].isupper():
        return transform_made(short, given)
    return _TO_TENSORS.get(short, UNKNOWN)


def transform_made(short: str, given: Given) -> Value:
    """A transform as a function; its element is what it gives, if that is known whatever it is given."""
    if short in _TO_TENSORS:
        effect = _effect(short, given)
        marks = _drawing(short) if effect == _INPLACE else _drawing(short) | _traced(short)
        return Value(Kind.FUNCTION, elem=_TO_TENSORS[short], among=effect | marks)
    if short in ("Compose", "Lambda"):
        first = given.get("transforms" if short == "Compose" else "lambd", 0)
        last = composed(first) if first is not None and short == "Compose" else None
        stages = first.items if first is not None and short == "Compose" else None
        draws = stages is None or any(stage.kind is not Kind.FUNCTION or draws_as_called(stage) for stage in stages)
        marks = _DRAWING if draws else frozenset[str]()
        marks |= _TRACED if stages and all(map(may_be_traced, stages)) else frozenset()
        return Value(Kind.FUNCTION, elem=last, among=_effect_of_all(stages or ()) | marks)
    return Value(Kind.FUNCTION, among=_drawing(short) | _traced(short))


def _traced(short: str) -> frozenset[str]:
    return _TRACED if short in ("CenterCrop", "Grayscale", "Normalize", "Pad", "Resize") else frozenset()


def may_be_traced(transform: Value) -> bool:
    """Whether a transform computes with arrays of JAX what it computes with pictures: a module may call it, and compiled code."""
    return transform.kind is Kind.FUNCTION and transform.among >= _TRACED


def _drawing(short: str) -> frozenset[str]:
    return _DRAWING if short.startswith(_RANDOM) else frozenset()


def draws_as_called(transform: Value) -> bool:
    """Whether a transform, or a Sequential of such, may draw from the host's generator whenever it is called."""
    if transform.kind is Kind.MODULE:
        return any(map(draws_as_called, transform.items or ()))
    return transform.kind is Kind.FUNCTION and transform.among >= _DRAWING


def _effect(short: str, given: Given) -> frozenset[str]:
    """Whether a transform gives a new tensor, or changes the one that it is given."""
    inplace = given.get("inplace", 5 if short == "RandomErasing" else 2)
    if short not in ("Normalize", "RandomErasing") or (inplace is None and short == "RandomErasing"):
        return frozenset()
    return _COPYING if inplace is None or inplace.const is False else _INPLACE


def _effect_of_all(stages: Sequence[Value]) -> frozenset[str]:
    """The same of several transforms, one after another: behind one that makes a tensor, this is what changes."""
    for stage in stages:
        if stage.kind is Kind.FUNCTION and stage.elem is not None:
            if changes_argument(stage):
                return _INPLACE
            break
    return _COPYING if stages and copies(stages[-1]) else frozenset()


def changes_argument(transform: Value) -> bool:
    """Whether a transform may change the tensor that it is given in place."""
    return transform.kind is Kind.FUNCTION and transform.among - _ASIDE == _INPLACE


def copies(transform: Value) -> bool:
    """Whether what a transform gives is always a new tensor."""
    return transform.kind is Kind.FUNCTION and transform.among - _ASIDE == _COPYING


def stands_behind_tensors(values: Sequence[Value]) -> bool:
    """Whether a transform is given tensors, which stands in a list behind others."""
    return composed(Value(Kind.LIST, items=tuple(values))) is not None


def composed(stages: Value) -> Value | None:
    """What several transforms give one after another: the shape may change behind the one that makes a tensor."""
    for number, stage in enumerate(reversed(stages.items or ())):
        if stage.kind is Kind.FUNCTION and stage.elem is not None:
            return stage.elem if not number else _SOME_IMAGE
    return None


BATCHES = frozenset({"batches"})  # of a loader that puts samples together itself, each time in tensors of their own
OTHER_LOADER = frozenset(
    {"other"}
)  # of one that gives what a function of the program makes of them, or the samples as they are


def dataset_made(short: str, given: Given) -> Value:
    """A dataset of torchvision."""
    if short not in _LABELLED:
        return Value(Kind.DATASET)
    position = _LABELLED[short]
    transform, target = given.get("transform", position), given.get("target_transform", position + 1)
    image = UNKNOWN
    if transform is not None and transform.kind is not Kind.NONE:
        image = transform.elem if transform.kind is Kind.FUNCTION and transform.elem is not None else _SOME_IMAGE
    label = _INT if target is None or target.kind is Kind.NONE else UNKNOWN
    return Value(Kind.DATASET, elem=Value(Kind.TUPLE, items=(image, label)), types=frozenset({short}))


def dataset_attribute(dataset: Value, name: str) -> Value:
    """A field of a dataset, where it is known to be a tensor."""
    all_mnist = bool(dataset.types) and all(item.endswith("MNIST") for item in dataset.types)
    return _MNIST.get(name, UNKNOWN) if all_mnist else UNKNOWN


def data_made(name: str, given: Given, collated: Value | None) -> Value:
    """What a call of torch.utils.data makes; `collated`: what the program's own `collate_fn` gives, UNKNOWN if hidden."""
    short = name.removeprefix(DATA)
    dataset = given.get("datasets" if short in ("ConcatDataset", "ChainDataset") else "dataset", 0)
    match short:
        case "DataLoader":
            batches = given.get("batch_size", 1)
            if collated is not None:
                return Value(
                    Kind.LOADER, elem=collated if collated.kind is not Kind.UNKNOWN else None, types=OTHER_LOADER
                )
            sample = dataset.element() if dataset is not None and dataset.is_sequence else dataset and dataset.elem
            single = batches is not None and batches.kind is Kind.NONE and "batch_sampler" not in given.named
            if single:
                return Value(Kind.LOADER, elem=on_host(sample or UNKNOWN), types=OTHER_LOADER)
            return Value(Kind.LOADER, elem=batched(sample), types=BATCHES)
        case "TensorDataset":
            items = tuple(row(value) for value in given.plain)
            known = None if given.starred else items
            return Value(Kind.DATASET, elem=Value(Kind.TUPLE, items=known, elem=TENSOR if given.starred else None))
        case "random_split":
            part, lengths = dataset or Value(Kind.DATASET), given.get("lengths", 1)
            count = len(lengths.items) if lengths is not None and lengths.items else None
            return Value(Kind.LIST, items=(part,) * count if count else None, elem=None if count else part)
        case "Subset":
            return dataset or Value(Kind.DATASET)
        case "ConcatDataset" | "ChainDataset":
            parts = (dataset.items or ()) if dataset is not None else ()
            elems = [item.elem for item in parts if item.elem is not None]
            return Value(Kind.DATASET, elem=join_all(elems) if elems and len(elems) == len(parts) else None)
        case "SequentialSampler" | "RandomSampler" | "WeightedRandomSampler":
            return Value(Kind.DATASET, elem=INT)
        case "SubsetRandomSampler":
            positions = given.get("indices", 0)
            return Value(
                Kind.DATASET, elem=positions.element() if positions is not None and positions.is_sequence else None
            )
        case "BatchSampler":
            sampler = given.get("sampler", 0)
            position = sampler.elem if sampler is not None else None
            return Value(Kind.DATASET, elem=Value(Kind.LIST, elem=position or INT))
        case "default_collate":
            samples = given.get("batch", 0)
            return batched(samples.element()) if samples is not None and samples.is_sequence else UNKNOWN
    return UNKNOWN


def row(value: Value) -> Value:
    """A row of an array in a dataset."""
    rank = value.rank - 1 if value.rank else None
    return Value(Kind.TENSOR, rank, value.dtype) if value.kind is Kind.TENSOR else TENSOR


def batched(element: Value | None) -> Value:
    """What a loader yields for a dataset of such elements."""
    if element is None or element.kind is Kind.UNKNOWN:
        return UNKNOWN
    if element.items is not None:
        return Value(Kind.TUPLE, items=tuple(batched(item) for item in element.items))
    if element.kind in (Kind.TUPLE, Kind.LIST) and element.elem is not None:
        return Value(element.kind, elem=batched(element.elem))
    if element.kind is Kind.DICT:
        return Value(Kind.DICT, elem=batched(element.elem))
    if element.kind is Kind.STR:
        return Value(Kind.LIST, elem=STR)
    if element.kind is Kind.TENSOR:
        return Value(Kind.TENSOR, element.rank + 1 if element.rank is not None else None, element.dtype)
    if element.is_number:
        return Value(Kind.TENSOR, 1, {Kind.INT: "int64", Kind.FLOAT: "float64", Kind.BOOL: "bool"}[element.kind])
    return UNKNOWN


def on_host(value: Value) -> Value:
    """Mark the tensors of a sample that no loader puts into a batch: they may be NumPy arrays until they are used."""
    if value.kind is Kind.TENSOR:
        return value.but(types=value.types | {"host"})
    items = tuple(on_host(item) for item in value.items) if value.items is not None else None
    return value.but(items=items, elem=on_host(value.elem) if value.elem is not None else None)
