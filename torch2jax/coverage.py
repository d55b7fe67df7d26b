"""What becomes of each public name of torch: the one place that knows both the tables and what the passes do by themselves.

    decide("torch.cat")            exact        jnp.concatenate({tensors}, axis={dim})
    decide("torch.manual_seed")    adapted      the key that randomness starts from
    decide("Tensor.stride")        known unsupported

`share_of_uses` says how much of real code that is.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from itertools import islice
from pathlib import Path

from torch2jax.facts.effects import CUDA_SEEDERS, FORKS, SEEDERS
from torch2jax.facts.infer import CONTAINERS
from torch2jax.lower_control.transforms import RESTATED
from torch2jax.ops.contexts import AUTOCASTS, GRADIENT_CONTEXTS, KERNEL_CHOICES
from torch2jax.ops.exactness import is_exact, is_exact_layer
from torch2jax.ops.modules import MODULE_HOOKS
from torch2jax.ops.schema import Alternative, FunctionSpec, LayerSpec, Tables, is_inplace_name
from torch2jax.ops.tables import load_tables
from torch2jax.program.program import canonical
from torch2jax.records import dataclass
from torch2jax.rewrite.calls import CASTS, MODULE_METHODS, MOVES, SPECIAL_FUNCTIONS, inplace_row
from torch2jax.rewrite.modules import DATASETS
from torch2jax.rewrite.names import KEPT_ATTRIBUTES, TYPES
from torch2jax.rewrite.statements import ERASED_ASSIGNMENTS, ERASED_CALLS, ERASED_DECORATORS
from torch2jax.rewrite.training import CLIPS
from torch2jax.targets import TARGETS, Target

DEFAULT_TARGET = "equinox"


class State(StrEnum):
    """What becomes of a name, from best to worst."""

    EXACT = "exact"
    ROUNDING = "to rounding"
    ADAPTED = "adapted"
    ERASED = "erased"
    UNSUPPORTED = "known unsupported"
    UNKNOWN = "unknown"

    @property
    def translated(self) -> bool:
        """Whether programs that use the name are translated (or lose nothing with it)."""
        return self not in (State.UNSUPPORTED, State.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Support:
    """What becomes of one name. `spelling`: its usual text in JAX, if it has one; `how`: what is different, or why not.

    `targets` has the state for each target; `state` is the best of them.
    """

    name: str
    state: State
    how: str
    targets: Mapping[str, State]
    spelling: str | None = None


# Names that passes decide without a row. An entry here says how; that there is one is the registry's word.
_CONTAINERS_HOW = "a sequence, list or dict of modules as the target has them"
_CONTEXTS_HOW = "gradients are taken of functions; where it matters, values become jax.lax.stop_gradient"
_SETTINGS_HOW = "a setting of torch's own kernels, threads or memory"
_SPECIAL_HOW = {
    **dict.fromkeys(KERNEL_CHOICES, "nothing: which kernel computes changes no more than rounding"),
    **dict.fromkeys(
        AUTOCASTS,
        "nothing where it is off, or for a device that torch does not have on a CPU; else refused, here or when the program runs",
    ),
    "torch.nn.Parameter": "an array among the module's parameters",
    "torch.nn.Buffer": "an array that is not trained",
    "torch.device": "jax.devices()[n]; devices other than the CPU are the default one",
    "torch.Generator": "a sequence of keys: each draw takes the next",
    "torch.get_rng_state": "the key that draws go on from",
    "torch.random.get_rng_state": "the key that draws go on from",
    "torch.load": "reads torch's files and those of the translated `torch.save`",
    "torch.save": "writes arrays by name",
}
_MODULE_HOW = {
    "parameters": "the arrays that are trained",
    "named_parameters": "the arrays that are trained, by path",
    "state_dict": "torch's names with NumPy arrays",
    "load_state_dict": "a new module with the values",
    "train": "a new module, or the module set to training",
    "eval": "a new module, or the module set to inference",
    "to": "moved to a device, or with parameters and buffers of another dtype",
    **dict.fromkeys(("float", "double", "half", "bfloat16"), "with parameters and buffers of another dtype"),
    "cuda": "nothing is left: JAX's default device is used",
    "cpu": "nothing is left: JAX's default device is used",
    "apply": "only for functions that initialise layers",
    "append": "of a ModuleList",
    "register_buffer": "an assignment",
    "register_parameter": "an assignment",
    "zero_grad": "gradients are values: nothing is left in a training step",
    "__init__": "`super().__init__()` goes where it has nothing to do",
}
_MODULE_FIELDS = {"training": "the target's flag for inference", "forward": "`__call__`"}
_OPTIMIZER_HOW = {
    "load_state_dict": "the state of the optimizer is the one that a translated program saved",
    "state_dict": "the arrays of the state of the optimizer, by their paths",
    "step": "a compiled training step with Optax",
    "zero_grad": "gradients are values: nothing is left",
}
_TENSOR_HOW = {
    "grad": "the gradient that a training step, or a `backward()` in sight, gives; refused where none is",
    "backward": "a compiled training step with the gradient of its loss; refused where no step is recognised",
    "requires_grad_": "dropped; `requires_grad_(False)` is refused",
    "requires_grad": "true where nothing is frozen",
}
_COMPILED_HOW = "the module or function itself, which compiling changes nothing of"
_PROCESSES_HOW = "in programs that start processes: one process drives all devices"
NORMALIZED = {
    "torch.optim.LBFGS": "a search that is told losses and gradients, by what closures beside its steps do",
    **dict.fromkeys(
        (
            "torch.distributed.tensor.DTensor",
            "torch.nn.UninitializedParameter",
            "torch.nn.parameter.UninitializedParameter",
            "torch.fx.Node",
            "torch.fx.GraphModule",
            "torch.fx.Proxy",
            "torch.SymInt",
            "torch.SymFloat",
        ),
        "nothing is of this class: what asks for it is answered; refused elsewhere",
    ),
    "torch.optim.lr_scheduler.LRScheduler.step": "the next learning rate, or count, in the state of the optimizer",
    "torch.optim.lr_scheduler.LRScheduler.get_last_lr": "the learning rate in the state of the optimizer, as a list",
    "torch.optim.lr_scheduler.LRScheduler.get_lr": "a method: the scheduler becomes a class of the program",
    **dict.fromkeys(
        (f"torch.optim.lr_scheduler.LRScheduler.{name}" for name in ("state_dict", "load_state_dict")),
        "how often it has stepped; refused where the state of its optimizer is not saved as well",
    ),
    "torch.is_grad_enabled": "what is known where it stands; refused where only the callers know",
    "torch.nn.attention.SDPBackend": "nothing, in contexts that choose kernels",
    "torch.profiler.ProfilerActivity": "nothing, among the options of a profiler",
    **dict.fromkeys(("torch.OutOfMemoryError", "torch.cuda.OutOfMemoryError"), "as an exception that is caught"),
    "torch.serialization.safe_globals": "nothing, as a context of torch.load",
    "torch.backends.cuda.matmul": f"assignments to its fields: {_SETTINGS_HOW}",
    "torch.ops": "operators of aten, as the functions of torch with their names; others are refused",
    "torch.jit.trace": "the module or function itself; refused where tracing it changes its state",
    **dict.fromkeys(("torch.jit.freeze", "torch.jit.optimize_for_inference", "torch.jit.trace_module"), _COMPILED_HOW),
    **dict.fromkeys(("torch.jit.fork", "torch.jit.wait"), "a call"),
    "torch.jit.save": "as torch.save of the module",
    "torch.jit.load": "as torch.load of a module that the translated program has saved",
    "torch.jit.ScriptModule": "the target's class of modules",
    "torch.nn.utils.skip_init": "the layer, with first values",
    "torch.initial_seed": "in functions that start workers: the seed that the loader has drawn for the worker",
    "torch.nn.utils.remove_weight_norm": "nothing, in programs that do not train behind it: the outputs are the same",
    "torch.nn.DataParallel": "the module itself, on all devices; refused for modules of unknown class",
    "torch.nn.parallel.DataParallel": "the module itself, on all devices; refused for modules of unknown class",
    "torch.nn.parallel.data_parallel": "a call of the module",
    "torch.nn.parallel.DistributedDataParallel": "the module itself, with means of gradients over all devices; refused for modules of unknown class",
    "torch.distributed.fsdp.FullyShardedDataParallel": "the module itself, with whole parameters on all devices",
    "torch.distributed.fsdp.fully_shard": "the module itself, with whole parameters on all devices",
    "torch.nn.utils.vector_to_parameters": "a loop over the parameters, where the call stands alone",
    "torch.distributed.all_reduce": f"{_PROCESSES_HOW}, and sums of what they hold are sums over devices",
    "torch.distributed.ReduceOp": "how `all_reduce` makes one of many: SUM, AVG, MAX and MIN",
    "torch.multiprocessing.spawn": f"{_PROCESSES_HOW}, and the function is called once",
}
_REFUSED_ATTRIBUTES = {
    "grad": "gradients are values that jax.grad returns, not fields",
    "grad_fn": "JAX records no graph",
    "is_leaf": "JAX records no graph",
    "is_cuda": "where an array lies is `x.devices()`",
    "register_hook": "JAX records no graph: only hooks that give another gradient become functions with jax.custom_vjp",
    "retain_grad": "JAX records no graph: only gradients of variables that one `backward()` leaves are values",
    "share_memory_": "JAX arrays are not shared between processes",
}
_MEMBER = re.compile(r"\.[A-Z]\w*\.\w+$")  # of a class, where a module could stand
_DRAWS = frozenset({"rng", "rng-optional"})
_WIDE = {"float": "64 bits only with jax_enable_x64", "int": "64 bits only with jax_enable_x64"}
_WIDE |= {"complex": "128 bits only with jax_enable_x64"}


def decide(name: str, tables: Tables | None = None) -> Support:
    """What becomes of a public name of torch, such as `torch.cat`, `torch.nn.Linear` or `Tensor.view`."""
    name = name.removeprefix("torch.") if name.startswith("torch.Tensor.") else name
    if not _MEMBER.search(name):
        name = canonical(name)
    tables = tables if tables is not None else load_tables()
    for ask in (_by_pass, _by_layer, _by_row, _by_method, _derived_in_place, _by_package):
        found = ask(name, tables)
        if found is not None:
            return found
    return _same(name, State.UNKNOWN, "")


def known_names() -> tuple[str, ...]:
    """The public names of torch, and those of the tables besides, in order."""
    listed = Path(__file__).with_name("torch_names.txt").read_text(encoding="utf-8").split()
    tables = load_tables()
    homes: dict[str, str] = {}  # where torch has a class, by its short name
    for name in sorted(listed, key=len):
        homes.setdefault(name.rpartition(".")[2], name)
    rows = [name for name in (*tables.functions, *tables.layers) if not name.endswith(".*")]
    owned = (name.partition(".") for name in rows if not name.startswith(("torch.", "Tensor.")))
    of_objects = (f"{homes[owner]}.{method}" for owner, _, method in owned if owner in homes)
    return tuple(sorted({*listed, *of_objects, *(name for name in rows if name.startswith(("torch.", "Tensor.")))}))


def _same(name: str, state: State, how: str, spelling: str | None = None) -> Support:
    return Support(name, state, how, dict.fromkeys(TARGETS, state), spelling)


def _per_target(name: str, how: str, has: Callable[[Target], object], why_not: str) -> Support:
    """Something that is adapted by the targets that have a spelling for it."""
    states = {key: State.ADAPTED if has(TARGETS[key]) else State.UNSUPPORTED for key in TARGETS}
    missing = [key for key, state in states.items() if state is State.UNSUPPORTED]
    text = f"{how}; {why_not} {', '.join(missing)}" if missing else how
    return Support(name, min(states.values(), key=list(State).index), text, states)


# what passes do


@cache
def _passes() -> Mapping[str, tuple[State, str]]:
    """Every name that a pass decides before any row is asked."""
    found: dict[str, tuple[State, str]] = {}
    registries: tuple[tuple[Iterable[str], State, str], ...] = (
        (CONTAINERS, State.ADAPTED, _CONTAINERS_HOW),
        (GRADIENT_CONTEXTS, State.ERASED, _CONTEXTS_HOW),
        (ERASED_CALLS, State.ERASED, _SETTINGS_HOW),
        (ERASED_DECORATORS, State.ERASED, "the decorated function stays as it is"),
        (SEEDERS, State.ADAPTED, "the key from which the program's randomness starts"),
        (CUDA_SEEDERS, State.ERASED, "one key seeds all devices"),
        (FORKS, State.ADAPTED, "draws behind the block go on from the key that there was before it"),
        (CLIPS, State.ADAPTED, "part of a training step: gradients are values"),
        (DATASETS, State.ERASED, "a class with `__len__` and `__getitem__` needs no base"),
        (("torch.nn.Module",), State.ADAPTED, "the target's class of modules"),
        (("torch.optim.Optimizer",), State.ADAPTED, "the target's class of optimizers"),
    )
    for names, state, how in registries:
        found.update(dict.fromkeys(names, (state, how)))
    for name, how in NORMALIZED.items():
        found[name] = (State.ADAPTED, how)
    for name, how in RESTATED.items():
        found[name] = (State.ADAPTED, how)
    for name, text in TYPES.items():
        found.setdefault(name, (State.ADAPTED, f"as a type: {text}"))
    for name in SPECIAL_FUNCTIONS:
        found[name] = (State.ADAPTED, _SPECIAL_HOW.get(name, "its own spelling"))
    for name, how in _OPTIMIZER_HOW.items():
        found[f"torch.optim.Optimizer.{name}"] = (State.ADAPTED, how)
    for name, how in _MODULE_FIELDS.items():
        found[f"torch.nn.Module.{name}"] = (State.ADAPTED, how)
    for name in MOVES:
        found[f"Tensor.{name}"] = (State.ADAPTED, "devices and dtypes apart: jax.device_put, astype")
    for name, how in _TENSOR_HOW.items():
        found[f"Tensor.{name}"] = (State.ADAPTED, how)
    return found


def _by_pass(name: str, tables: Tables) -> Support | None:
    found = _passes().get(name)
    if found is not None and not (name in TYPES and name in tables.functions and name not in SPECIAL_FUNCTIONS):
        return _same(name, *found)
    if name.startswith("torch.nn.Module."):
        return _module_method(name)
    is_setting = name.startswith(ERASED_ASSIGNMENTS) and name.count(".") > 2 and name not in tables.functions
    if is_setting and name.rsplit(".", 1)[1] in ("benchmark", "deterministic", "enabled", "allow_tf32"):
        return _same(name, State.ERASED, f"an assignment to {_SETTINGS_HOW}")
    return None


def _module_method(name: str) -> Support:
    method = name.rsplit(".", 1)[1]
    if method in MODULE_HOOKS:
        how = "the function runs where the module is called, or behind the compiled step, with its values"
        return _per_target(name, how, lambda target: target.bound is None, "not with")
    if method not in MODULE_METHODS:
        state = State.UNSUPPORTED if "hook" in method else State.UNKNOWN
        return _same(name, state, "calls of modules run nothing besides" if "hook" in method else "")
    how, why_not = _MODULE_HOW.get(method, "its own spelling"), "not with"
    if method in ("named_parameters", "state_dict", "load_state_dict", "apply"):
        return _per_target(name, how, lambda target: getattr(target, method) is not None, why_not)
    return _same(name, State.ADAPTED, how)


# rows


def _by_layer(name: str, tables: Tables) -> Support | None:
    spec = tables.layers.get(name)
    if spec is None:
        return None
    if spec.unsupported is not None:
        return _same(name, State.UNSUPPORTED, spec.unsupported)
    targets = {key: _state_of_layer(name, spec, TARGETS[key]) for key in TARGETS}
    state = min(targets.values(), key=list(State).index)
    remarks = []
    if "state" in spec.effects:
        remarks.append("its running values are state that calls return, or that the module keeps")
    if spec.effects & _DRAWS:
        remarks.append("draws with a key: the same distribution, other numbers")
    elif any(TARGETS[key].draws_at_init(spec) for key in TARGETS):
        remarks.append("initial values are drawn with a key")
    missing = [key for key, of_target in targets.items() if of_target is State.UNSUPPORTED]
    remarks.extend(f"not with {key} yet" for key in missing)
    column = next((column for key in TARGETS if (column := TARGETS[key].column(spec)) is not None), None)
    spelling = _main_text(column.make) if column is not None else None
    remarks.extend(f"refused: {item.flag}" for item in (column.make if column is not None else ()) if item.flag)
    return Support(name, state, "; ".join(remarks), targets, spelling)


def _state_of_layer(name: str, spec: LayerSpec, target: Target) -> State:
    column = target.column(spec)
    if column is None or all(item.emit is None for item in column.make):
        return State.UNSUPPORTED
    if spec.effects & {"state", *_DRAWS}:
        return State.ADAPTED
    return State.EXACT if is_exact_layer(name) else State.ROUNDING


def _by_row(name: str, tables: Tables) -> Support | None:
    """The row of a name; methods of objects that torch makes have theirs under the class, as in `Distribution.sample`."""
    spec = tables.functions.get(name)
    if spec is None and name.count(".") > 2:
        spec = tables.functions.get(".".join(name.split(".")[-2:]))
    return _of_row(name, spec, tables) if spec is not None else None


def _of_row(name: str, spec: FunctionSpec, tables: Tables) -> Support:
    """What a row says. `unsupported`, or nothing but refusals, is a refusal."""
    method = name.startswith("Tensor.")
    choices = spec.method_alternatives if method and spec.method_alternatives else spec.alternatives
    refusals = [item.flag for item in choices if item.flag is not None]
    if spec.unsupported is not None:
        return _same(name, State.UNSUPPORTED, spec.unsupported)
    if refusals and len(refusals) == len(choices):
        return _same(name, State.UNSUPPORTED, "; ".join(refusals))
    if spec.same is not None and not spec.alternatives:
        return _same(name, State.ADAPTED, "NumPy on the host behind the same call", spec.same)
    spelling = _main_text(choices)
    state = State.EXACT if is_exact(spec) else State.ROUNDING
    remarks = [f"refused: {refusal}" for refusal in refusals]
    if spec.effects & _DRAWS:
        state = State.ADAPTED
        remarks.insert(0, "draws with a key: the same distribution, other numbers")
    elif "mutates" in spec.effects:
        state = State.ADAPTED
        remarks.insert(0, "in place: the value is assigned")
    elif name.startswith("torch.optim."):
        state = State.ADAPTED
        remarks.insert(0, "an Optax transformation with torch's update")
    elif wide := _wide_remark(spelling):
        state = State.ADAPTED
        remarks.insert(0, wide)
    elif spelling in ("{input}", "False", "True", "None", "{model}"):
        state = State.ERASED
        remarks.insert(0, f"always {spelling}" if spelling in ("False", "True", "None") else "has no meaning in JAX")
    if "host" in spec.effects:
        remarks.append("leaves the device, so it cannot stand in compiled code")
    return _same(name, state, "; ".join(remarks), spelling)


def _wide_remark(spelling: str | None) -> str | None:
    """What to know of a dtype of 64 bits, or of a cast to one; None for other texts."""
    found = re.fullmatch(r"(?:.*(?:astype\(|dtype=))?(float|int|complex)\)?", spelling or "")
    return _WIDE[found[1]] if found is not None else None


def _main_text(choices: Sequence[Alternative]) -> str | None:
    """The spelling for everything that has none of its own, else the first."""
    texts = [item.emit for item in choices if item.emit is not None]
    plain = [item.emit for item in choices if item.emit is not None and item.when is None]
    return next(iter(plain or texts), None)


def _by_method(name: str, tables: Tables) -> Support | None:
    """Methods and attributes of tensors without a row."""
    short = name.removeprefix("Tensor.")
    if short == name:
        return None
    if short in CASTS:
        wide = _WIDE.get(CASTS[short], "")
        return _same(name, State.ADAPTED if wide else State.EXACT, wide, f"{{input}}.astype({CASTS[short]})")
    if short in KEPT_ATTRIBUTES:
        return _same(name, State.EXACT, "", f"{{input}}.{short}")
    if short in _REFUSED_ATTRIBUTES:
        return _same(name, State.UNSUPPORTED, _REFUSED_ATTRIBUTES[short])
    return None


def _derived_in_place(name: str, tables: Tables) -> Support | None:
    """`add_` follows from `add`: the new value is assigned to where the tensor lies."""
    if not is_inplace_name(name.rpartition(".")[2]):
        return None
    row = name.removesuffix("_") if name.startswith("Tensor.") else inplace_row(tables, name)
    plain = tables.functions.get(row) if row is not None else None
    if plain is None or plain.unsupported is not None:
        return None
    value = plain.name.rpartition(".")[2]
    return _same(name, State.ADAPTED, f"in place: the value of `{value}` is assigned; refused where views see it")


def _by_package(name: str, tables: Tables) -> Support | None:
    """The row of the nearest package that gives one reason for all its names, such as `torch.fx.*`."""
    packages = (f"{name.rsplit('.', count)[0]}.*" for count in range(1, name.count(".") + 1))
    row = next((package for package in packages if package in tables.functions), None)
    return _of_row(name, tables.functions[row], tables) if row is not None else None


def clean(spelling: str) -> str:
    """A row's text for readers: parameters by their names, without the marks that the translator needs."""
    return re.sub(r"\{(\*?)(\w+)!?(?:\|\w+)?\}", r"\1\2", spelling)


def describe(support: Support) -> str:
    """A name's entry for people: lines with its state, text, remarks, and the targets that differ."""
    lines = [f"{support.name}: {support.state}"]
    if support.spelling is not None:
        lines.append(f"  JAX: {clean(support.spelling)}")
    if support.how:
        lines.append(f"  {support.how}")
    if len(set(support.targets.values())) > 1:
        lines.extend(f"  {target}: {state}" for target, state in support.targets.items())
    return "\n".join(lines)


def describe_all(prefix: str = "") -> str:
    """The state of every name below a prefix such as `torch.fft`; without one, how many names there are of each state."""
    chosen = [name for name in known_names() if not prefix or name.startswith(f"{prefix}.")]
    if prefix:
        width = max(map(len, chosen))
        return "\n".join(f"{name:{width}}  {decide(name).state}" for name in chosen)
    counts = Counter(decide(name).state for name in chosen)
    return "\n".join([*(f"{counts[state]:6} {state}" for state in State), f"{len(chosen):6} public names of torch"])


def find_names(text: str) -> list[str]:
    """The public names that a person may mean: `nn.Linear`, `F.relu` and `cat` have one; else the most alike ones."""
    known = set(known_names())
    spelled = re.sub(r"^nn\.", "torch.nn.", re.sub(r"^F\.", "torch.nn.functional.", text))
    spelled = spelled.replace("torch.Tensor.", "Tensor.")
    candidates = [
        spelled,
        *(f"{prefix}.{spelled}" for prefix in ("torch", "Tensor", "torch.nn", "torch.nn.functional")),
    ]
    found = [name for name in candidates if name in known or canonical(name) in known]
    if found or decide(spelled).state is not State.UNKNOWN:
        return found[:1] or [spelled]
    from difflib import get_close_matches

    return get_close_matches(spelled, sorted(known), 3)


# uses


@dataclass(frozen=True, slots=True)
class Band:
    """How much of the uses of the `names` most used names is translated; the states are those of the default target."""

    names: int
    uses: int
    translated: int

    @property
    def share(self) -> float:
        return self.translated / self.uses if self.uses else 1.0


def share_of_uses(uses: Mapping[str, int], bands: Sequence[int], target: str = DEFAULT_TARGET) -> Iterator[Band]:
    """For the n most used names, for each n of `bands` and for all of them: how many of their uses are translated."""
    ranked = sorted(uses, key=lambda name: (-uses[name], name))
    good = {name for name in ranked if decide(name).targets[target].translated}
    for count in (*(band for band in bands if band < len(ranked)), len(ranked)):
        chosen = ranked[:count]
        yield Band(count, sum(map(uses.__getitem__, chosen)), sum(uses[name] for name in chosen if name in good))


def describe_usage(uses: Mapping[str, int], bands: Sequence[int] = (100, 250, 800), missing: int = 20) -> str:
    """A table of the bands, and the most used names that are not translated."""
    lines = [f"{'names':>8} {'uses':>10}" + "".join(f"{target:>12}" for target in TARGETS)]
    columns = [list(share_of_uses(uses, bands, target)) for target in TARGETS]
    for row in zip(*columns, strict=True):
        shares = "".join(f"{band.share:>12.2%}" for band in row)
        lines.append(f"{row[0].names:>8} {row[0].uses:>10}{shares}")
    lines.append(f"\nmost used names that are not translated ({DEFAULT_TARGET}):")
    ranked = sorted(uses, key=lambda name: (-uses[name], name))
    left = ((name, item) for name in ranked if not (item := decide(name)).targets[DEFAULT_TARGET].translated)
    for name, item in islice(left, missing):
        why = f" ({item.how})" if item.how else ""
        lines.append(f"{uses[name]:>8}  {name}: {item.state}{why}")
    return "\n".join(lines)


def read_usage(text: str) -> dict[str, int]:
    """Uses by name, from JSON: {"names": {"torch.cat": 7}}, or with {"uses": 7} for 7. Raises ValueError."""
    try:
        names = json.loads(text)["names"]
        return {name: int(entry["uses"] if isinstance(entry, dict) else entry) for name, entry in names.items()}
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("there are no counts under `names`") from error
