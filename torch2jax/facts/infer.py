"""Value inference: what each expression of a file can be.

A forward, flow-sensitive abstract interpretation over the statements (join at merges, loops to a fixpoint), repeated over the
whole file until parameters (joined from call sites), results and fields (joined from assignments) no longer change. A name of
unknown kind that is used as only a tensor, module or optimizer can be used is taken for one from there on ("evidence").
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field
from functools import lru_cache
from itertools import chain, starmap
from typing import Any

import libcst as cst

from torch2jax.facts import datasets, named_tuples
from torch2jax.facts.accelerators import prepared
from torch2jax.facts.axes import has_axis
from torch2jax.facts.command_options import is_parsing, options_of, receives_all
from torch2jax.facts.computed_names import is_only_flagged, texts_of_loop
from torch2jax.facts.first_layers import first_elements, grown_elements, named_elements
from torch2jax.facts.moves import has_casts
from torch2jax.facts.named_classes import named_test
from torch2jax.facts.names_as_text import (
    asked_of_file,
    is_own_file,
    looked_up,
    names_asked,
    of_pattern,
    that_take,
)
from torch2jax.facts.parameters import is_optimizer, is_own_optimizer, optimized, parameter_flag
from torch2jax.facts.precision import changes_nothing, device_type, is_open
from torch2jax.facts.prefixes import First, Prefix
from torch2jax.facts.presence import gives_present
from torch2jax.facts.storage import is_new
from torch2jax.facts.unrolled_lists import unrolled
from torch2jax.facts.values import evidence
from torch2jax.facts.values.field_evidence import FieldEvidence, makes_modules
from torch2jax.ops import array_files
from torch2jax.ops.contexts import AUTOCASTS, KERNEL_CHOICES, gradient_below
from torch2jax.ops.modules import CASTING, MODULE_HOOKS, PLACING, SETTING, is_own_method
from torch2jax.ops.python import ADDS_PARTS, CHANGES, FUNCTION_TESTS, Does, gives_parts, method_does
from torch2jax.ops.rules import FLOATS, Facts, elementwise, is_weak, result_value
from torch2jax.ops.schema import FunctionSpec, LayerSpec, Tables, is_inplace_name
from torch2jax.ops.signatures import BindError, Signature, bind, parse_signature
from torch2jax.program.calls import (
    arguments_by_parameter,
    chain_start,
    decorators_of,
    gives_back_its_own,
    is_fixture,
    parametrized,
    wrappers_of,
)
from torch2jax.program.definitions import How
from torch2jax.program.found_modules import IMPORTING
from torch2jax.program.layout import joined
from torch2jax.program.program import (
    Class,
    Function,
    Program,
    canonical,
    dotted,
    import_bindings,
    imported_module,
    is_super,
)
from torch2jax.program.read_models import only_reads_weights
from torch2jax.program.scopes import Variable
from torch2jax.program.statements import bound_by, bound_in, suite_body
from torch2jax.program.torch_packages import needs_torch
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import is_docstring
from torch2jax.syntax.walk import bound_names, children, descendants, elements_of, own_nodes, ways
from torch2jax.values import (
    AWAITED,
    BOOL,
    CALLED,
    DTYPE_CALLS,
    EMPTY,
    FLOAT,
    GROUPED,
    GUESSED,
    INPLACE,
    INT,
    LAMBDA,
    LOCAL,
    NONE,
    NOTHING,
    PARAMETER_ROOT,
    PYTHON,
    SOME_CLASS,
    STR,
    TENSOR,
    TENSOR_CLASS,
    TRAINS,
    TYPED_TENSORS,
    UNGIVEN,
    UNKNOWN,
    WHOLE,
    WITHOUT_TENSORS,
    Files,
    Kind,
    Options,
    Partial,
    Value,
    class_dtype,
    class_of_dtype,
    classes_beside_layers,
    constant,
    files_of,
    join,
    join_all,
    join_given,
    without_class,
)

Env = dict[str, Value]

CONTAINERS = {
    "torch.nn.Sequential",
    "torch.nn.ModuleList",
    "torch.nn.ModuleDict",
    "torch.nn.ParameterList",
    "torch.nn.ParameterDict",
}
_METHODS_OF_MODULES = frozenset({"eval", "parameters", "named_parameters", "state_dict", "train"})
_PLACING = frozenset({"cpu", "cuda", "to"})
EINOPS_LAYERS = {"einops.layers.torch.Rearrange": "rearrange", "einops.layers.torch.Reduce": "reduce"}
_WRITER = "torch.utils.tensorboard.SummaryWriter"
_MADE_OF_SIZES = frozenset({"torch.zeros", "torch.ones", "torch.empty", "torch.rand", "torch.randn"})
_SIZES = frozenset(
    "in_features out_features in_channels out_channels num_features num_channels num_groups num_embeddings embedding_dim "
    "hidden_size input_size embed_dim num_heads d_model nhead dim_feedforward".split()
)
_SEQUENTIAL_TYPES = frozenset({"torch.nn.Sequential"})
_EINOPS = {"einops.rearrange", "einops.repeat", "einops.reduce", "einops.einsum"}
_TRANSPOSED = frozenset({"T", "mT", "H", "mH"})
MADE = "made:"  # among the types of a container or optimizer, with the place where it is made
_ANY = "**"  # among the names of what a function has seen: something for any of its parameters
_PERCENT_HOLES = re.compile(r"%(?:%|(?:\([^)]*\))?[-+ #0-9.]*[a-zA-Z])")
_NAMED_PART = "named part"  # of a module, where anything may have the name; `elem` joins the parts
_SOME_NUMBER = Value(Kind.FLOAT, types=frozenset({"mixed"}))  # an integer or a float
_PART = Value(roots=frozenset({"*"}))  # of something unknown: if it is a tensor, others may hold it, too
ITEM = "item:"  # before a root: of what is found in it
_MOVING = PLACING | SETTING | CASTING
_REPEATING = frozenset({"torch.broadcast_to", "Tensor.expand", "Tensor.expand_as"})
_KEEPING = ("collections.", "copy.", "functools.reduce", "heapq.", "itertools.", "types.SimpleNamespace")
_HOLDING = ("collections.ChainMap", "collections.deque", "queue.")  # what is filled later
_OF_ARRAYS = frozenset({"torch.as_tensor", "torch.asarray", "torch.from_numpy"})
NEW_ARRAYS = frozenset(
    f"numpy.{name}"
    for name in (
        "arange", "array", "concatenate", "copy", "empty", "eye", "full", "identity", "linspace", "load", "loadtxt", "mean", "ones", "pad",
        "stack", "sum", "vstack", "where", "zeros",
    )
)  # fmt: skip
_CHOOSING = ("random.choice", "random.choices", "random.sample")
_SHOWING_PROGRESS = frozenset(  # which give one by one what they are given
    {f"{module}.tqdm" for module in ("tqdm", "tqdm.asyncio", "tqdm.auto", "tqdm.autonotebook", "tqdm.notebook", "tqdm.rich", "tqdm.std")}
    | {"rich.progress.track", "tqdm.tqdm_notebook"}
)  # fmt: skip
# Packages that give nothing of torch's, whatever they are given.
_WITHOUT_TENSORS = sys.stdlib_module_names | frozenset(
    "PIL albumentations cv2 gym gymnasium h5py imageio jax librosa lmdb matplotlib networkx nltk numba numpy pandas plotly psutil"
    " rich scipy seaborn skimage sklearn soundfile spacy tensorboard tensorflow tifffile tokenizers tqdm wandb yaml".split()
)
_FILLED = frozenset({"weight", "bias"})  # what the initializers of most layers are given
_SPELLINGS = frozenset({"capitalize", "casefold", "lower", "lstrip", "rstrip", "strip", "swapcase", "title", "upper"})
_PLAIN_KINDS = frozenset({Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STR, Kind.DEVICE, Kind.DTYPE, Kind.SIZE})  # of settings
_MATH_CONSTANTS = frozenset({"pi", "e", "tau", "inf", "nan"})
_NUMERIC = frozenset(
    {cst.Add, cst.Subtract, cst.Divide, cst.FloorDivide, cst.Power}
    | {cst.AddAssign, cst.SubtractAssign, cst.DivideAssign, cst.FloorDivideAssign, cst.PowerAssign}
)  # not a product, nor `%`: there are lists and texts with them
TRANSFORMS = frozenset(
    {
        f"torch.func.{name}"
        for name in ("grad", "grad_and_value", "vmap", "vjp", "jvp", "jacrev", "jacfwd", "hessian", "linearize")
    }
    | {f"torch.autograd.functional.{name}" for name in ("jacobian", "hessian", "vjp", "jvp", "hvp", "vhp")}
    | {"torch.vmap"}
)
LISTED_MODULE = "listed module"  # among the types of what runs through `model.modules()`: any module, known or not
_ANY_MODULE = Value(types=frozenset({LISTED_MODULE}))
OWNED = "owned"  # the mark of a parameter that no caller looks at again, but where it is returned
GIVES = "gives"  # the mark of a function that returns some of its parameters, with how it does so and their names
FILLS = "fills"  # the mark of a parameter whose tensor a function changes, be it told or not
LOOKED_AT = (
    "looked at"  # the mark of a parameter of another file's function, of what somebody may look at behind a call
)
RESTATED_CALLS = "arguments"  # the mark of a file whose calls take what functions give back
_SEQUENTIAL_METHODS = evidence.MODULE_WORDS | {
    "modules",
    "children",
    "apply",
    "to",
    "cuda",
    "cpu",
    "append",
    "add_module",
}
UNNAMED_PART = "unnamed part"  # marks (class, field): torch's names of parameters leave out the field
NEW_FIRST = "new first"  # marks a Sequential, of any number of layers, whose first one makes a tensor
NAMED = "named"  # marks a Sequential whose members have names
NAMED_NEW_FIRST = "named, new first"  # marks one of such members, whose first one makes a tensor
PASSING_LAYERS = frozenset(
    f"torch.nn.{name}"
    for name in ("Identity", "Flatten", "Unflatten", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout")
)  # which give back what they are given, or a view of it, at least outside of training
_OF_MODULES = frozenset({"torch.nn.Sequential", "torch.nn.ModuleList"})
_ARRAY_VIEWS = frozenset({"T", "real", "imag"})  # what arrays of NumPy give of themselves, as their methods do
_OVERWRITING = frozenset(
    {"bernoulli_", "exponential_", "fill_", "normal_", "random_", "uniform_", "zero_"}
)  # of methods: they give all elements other values
_ANNOTATIONS = {"int": INT, "float": FLOAT, "bool": BOOL, "str": STR, "None": NONE}
_TENSOR_NAMES = {f"torch.{name}" for name in ("Tensor", *TYPED_TENSORS)}
_COPIED = (Kind.MODULE, Kind.STATE_DICT, Kind.TENSOR)


@dataclass(frozen=True, slots=True)
class _Known:
    """The values of the nodes of one file, which are those that have `parents`, what its calls reach, and the expressions
    at its allocation sites.
    """

    parents: Mapping[cst.CSTNode, cst.CSTNode]
    of_node: dict[cst.CSTNode, Value]
    callees: dict[cst.Call, tuple[Function, ...]]
    places: Mapping[int, cst.CSTNode]


@dataclass(slots=True)
class Values:
    """The result: the value of each expression node, and what each call reaches."""

    program: Program
    of_node: dict[cst.CSTNode, Value] = field(default_factory=dict)
    callees: dict[cst.Call, tuple[Function, ...]] = field(default_factory=dict)
    partials: dict[cst.Call, tuple[Function, ...]] = field(
        default_factory=dict
    )  # the same for calls of `partial` objects
    receivers: dict[cst.Call, Value] = field(default_factory=dict)
    after: dict[cst.CSTNode, Env] = field(default_factory=dict)
    """What the variables hold behind each line of simple statements."""
    kept_numbers: frozenset[cst.CSTNode] = frozenset()
    """Reads of numbers that are kept in the state of modules, where they are arrays, also in other files."""
    passed: dict[str, Env] = field(default_factory=dict)
    """What this file passes to functions of other files: by the key of the function and the parameter."""
    stored: Env = field(default_factory=dict)
    """What is stored into the containers that expressions make, by the places of these, also in other files."""
    sites: dict[cst.CSTNode | tuple[cst.CSTNode, int], int] = field(default_factory=dict)
    """The expressions, or expressions and a place in their result, that make tensors; their numbers stand in `new:` roots."""
    places: dict[int, cst.CSTNode] = field(default_factory=dict)
    """The expressions behind these numbers."""
    accesses: dict[Function, Any] = field(default_factory=dict)
    """What running functions of the program does, once somebody has asked."""
    runs: dict[cst.CSTNode, tuple[Function, ...]] = field(default_factory=dict)
    """The functions that code runs itself, once somebody has asked: see `code_of`."""
    noted: set[str] = field(default_factory=set)
    """The places of the other files of whose classes, or of whose methods, something has been noted."""
    changes: dict[cst.CSTNode, tuple[set[str], dict[str, list[tuple[Function, str]]]]] = field(default_factory=dict)
    """Which tensors statements change, once somebody has asked: see `changes_tensor`."""
    seen_before: dict[Function, Env] = field(default_factory=dict)
    """What was passed to functions of other files to which this one passes something, before it was looked at."""
    unseen: frozenset[str] | None = None
    """The names of properties, and of methods of operators, that classes in sight have, once somebody has asked."""
    _others: Sequence[_Known] = ()
    _asked: _Known | None = (
        None  # of the others, about which the last question was: the next is about it most of the time
    )
    _own: _Known | None = None

    def __call__(self, node: cst.CSTNode) -> Value:
        value = self.of_node.get(node)
        if value is not None:
            return value
        return self._of_others(node) if self._others else UNKNOWN

    def _of_others(self, node: cst.CSTNode) -> Value:
        """What is known of a node for which this file has no value: one of another file, or one that is never evaluated."""
        known = self._known_of(node)
        return known.of_node.get(node, UNKNOWN) if known is not None else UNKNOWN

    def _known_of(self, node: cst.CSTNode) -> _Known | None:
        """What the other file says that a node is of; None for those of this file."""
        if not self._others or node in self.program.index.parents:
            return None
        if self._asked is None or node not in self._asked.parents:
            self._asked = next((known for known in self._others if node in known.parents), None)
        return self._asked

    def calls_of(self, function: Function) -> list[cst.Call]:
        """The calls that may run a function, in all files that are known; these may know it from another analysis."""
        return [call for call, callees in self.callees.items() if any(item.key == function.key for item in callees)]

    def reached_by(self, call: cst.Call) -> tuple[Function, ...]:
        """The functions of the program that a call runs, with those that decorators put around them; of a container of modules,
        the `forward` of each member.
        """
        found = self.callees.get(call, ())
        value = self(call.func)
        if value.kind is Kind.MODULE:
            found = (*found, *self._forwards(value))
        return (*found, *(wrapper for item in found for wrapper in self.wrappers(item)))

    def run_in(self, calls: Iterable[cst.Call]) -> frozenset[Function]:
        """The functions of the program that run in some calls, those that run in these among them."""
        found: set[Function] = set()
        waiting = list(calls)
        while waiting:
            for function in self.reached_by(waiting.pop()):
                if function not in found:
                    found.add(function)
                    waiting += descendants(function.node.body, cst.Call)
        return frozenset(found)

    def wrappers(self, function: Function) -> Iterator[Function]:
        """The functions that decorators put in the place of a function."""
        for made, _, decorators in decorators_of(function, self.program, self):
            for node in (node for decorator in decorators for node in wrappers_of(decorator)):
                if isinstance(made, cst.Call) and gives_back_its_own(node):
                    continue  # it only notes the function
                files = (self.program, *self.program.modules.values())
                yield from (file.functions[node] for file in files if node in file.functions)

    def _forwards(self, container: Value) -> Iterator[Function]:
        for member in container.parts:
            yield from self._forwards(member)
            for name in sorted(member.types):
                item = self.program.class_by_key.get(name)
                forward = item.method("forward") if item is not None else None
                if forward is not None:
                    yield forward
            yield from self._forwards(member)

    def makers(self, roots: frozenset[str]) -> list[cst.CSTNode]:
        """The expressions that make the storage which `roots` stand for, as far as they are known in this file."""
        return _made_at(self.places, roots)

    def made_by(self, number: int) -> cst.CSTNode | None:
        """The expression at an allocation site of this file."""
        site = self.places.get(number)
        return site if site is not None and self.sites.get(site) == number else None

    def makes_its_own(self, node: cst.CSTNode) -> bool:
        """Whether an expression itself makes the storage of the tensor that it gives."""
        roots, known = self(node).roots, self._known_of(node)
        made = _made_at(known.places if known is not None else self.places, roots)
        return len(made) == len(roots) > 0 and {node, *descendants(node)}.issuperset(made)

    def keyword_is_true(self, call: cst.Call, name: str) -> bool:
        """Whether a call is given `name=True`."""
        return any(
            item.keyword is not None and item.keyword.value == name and self(item.value).const is True
            for item in call.args
        )

    def is_inplace(self, call: cst.Call) -> bool:
        """Whether a call with `inplace=True` changes its first argument; where a layer or a transform is made so, nothing
        changes yet.
        """
        return self.keyword_is_true(call, "inplace") and self(call).kind not in (Kind.MODULE, Kind.FUNCTION)

    def is_inplace_layer(self, call: cst.Call) -> bool:
        """Whether a call is one of a layer that surely changes its argument, a variable or what a call gives, in place."""
        called = self(call.func)
        return called.kind is Kind.MODULE and called.const == INPLACE and len(call.args) == 1 and not call.args[0].star

    def adopt(self, others: OtherValues) -> None:
        """Know the values of other files of the program, too."""
        self._others = others.known
        self.callees |= others.callees

    def _of_own_nodes(self) -> _Known:
        """What is known of the nodes of this file; of those of other files they know more."""
        if self._own is None:
            parents = self.program.index.parents
            callees = {call: found for call, found in self.callees.items() if call in parents}
            self._own = _Known(parents, self.of_node, callees, self.places)
        return self._own

    def lambda_of(self, node: cst.CSTNode) -> cst.Lambda | None:
        """The lambda that a value is known to be."""
        const = self(node).const
        return const.node if isinstance(const, _Lambda) else None

    def torch_name(self, node: cst.CSTNode) -> str | None:
        """The canonical torch name that an expression refers to."""
        value = self(node)
        return value.const if value.kind is Kind.TORCH and isinstance(value.const, str) else None


def _made_at(places: Mapping[int, cst.CSTNode], roots: frozenset[str]) -> list[cst.CSTNode]:
    numbers = [number for root in sorted(roots) if (number := root.removeprefix("new:")).isdecimal()]
    return [places[int(number)] for number in numbers if int(number) in places]


class OtherValues:
    """What is known of the nodes of other files."""

    def __init__(self, files: Iterable[Values]) -> None:
        self.known = [values._of_own_nodes() for values in files]
        self.callees: dict[cst.Call, tuple[Function, ...]] = {}
        for known in self.known:
            self.callees.update(known.callees)


def _holds_nothing(value: Value | None) -> bool:
    """Whether a field is not set, or holds nothing yet: None, or a list or dict without elements."""
    if value is None or value.kind is Kind.NONE:
        return True
    return value.kind in (Kind.LIST, Kind.DICT) and not value.items and value.elem is None


def places_of_makers(keys: Iterable[str]) -> set[str]:
    """The places of the files that make some optimizers."""
    return {f"{key.removeprefix(MADE).rpartition(':')[0]}:" for key in keys}


def files_of_sites(keys: Iterable[str]) -> set[int]:
    """The numbers of the files that make some containers."""
    return {int(key.removeprefix(MADE)) // SITES for key in keys}


def stored_elsewhere(program: Program, files: Iterable[Values]) -> Env:
    """What other files store into the containers that a file makes."""
    found: Env = {}
    for values in files:
        for site, value in values.stored.items():
            if files_of_sites((site,)) == {program.first_site // SITES}:
                _join_into(found, site, value)
    return found


@lru_cache(maxsize=4096)
def _number(text: str) -> Value:
    return constant(ast.literal_eval(text))


def infer_values(program: Program, tables: Tables, memory: Memory | None = None) -> Values:
    """Infer all values of a file; `memory` is of earlier rounds of its normalization."""
    inference = _Inference(program, tables, memory or Memory())
    is_settled = inference.is_settled_by(8)
    if is_settled and inference.mixed:
        inference.take_modules()
        is_settled = inference.is_settled_by(2)
    if not is_settled:
        inference.take_what_is_known()
        inference.is_settled_by(4)
    for item in program.classes.values():
        item.keep_lineage()
    inference.values.stored = inference.stored
    return inference.values


@dataclass(slots=True)
class _Run:
    """What one evaluation of a function read of the program around it, and what it did: if none of what it read has
    changed by the next round, doing the same again saves evaluating it. `around` and what follows is for other rounds of
    normalization, where more starts anew: what else was read, and what is left behind.
    """

    seen: Env
    evidence: Env
    fields: dict[tuple[Class, str], Value | None] = field(default_factory=dict)
    results: dict[Function, Value | None] = field(default_factory=dict)
    stored: dict[str, Value | None] = field(default_factory=dict)
    shared: dict[str, Value | None] = field(default_factory=dict)
    writes: list[tuple[Callable[..., None], tuple[object, ...]]] = field(default_factory=list)
    of_node: dict[cst.CSTNode, Value] = field(default_factory=dict)
    repeatable: bool = True
    lambdas: dict[cst.Lambda, Env] = field(default_factory=dict)  # what names are in the lambdas that it makes
    is_settled: bool = True  # whether these know all that the variables of the function are bound to
    whole: frozenset[str] | None = None  # the classes of modules of which nothing is known

    around: int = 0  # the number, in the memory, of what every function can read
    asked: dict[tuple[Callable[..., object], *tuple[object, ...]], object] = field(default_factory=dict)
    # Roots of unknown values that had an index, and of those that numbers were added to.
    counted: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    is_portable: bool = True
    evidence_left: Env = field(default_factory=dict)
    counted_left: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    every: Env = field(default_factory=dict)
    returns: Value | None = None
    env: Env = field(default_factory=dict)
    computed_from: dict[str, frozenset[str]] = field(default_factory=dict)
    after: dict[cst.CSTNode, Env] = field(default_factory=dict)
    receivers: dict[cst.Call, Value] = field(default_factory=dict)
    callees: dict[cst.Call, tuple[Function, ...]] = field(default_factory=dict)
    partials: dict[cst.Call, tuple[Function, ...]] = field(default_factory=dict)

    def stands(self, seen: Env, evidence: Env, inference: _Inference) -> bool:
        """Whether all that the function read is as it was."""
        own = inference.own
        return (
            self.repeatable
            and self.seen == seen
            and self.evidence == evidence
            and (self.whole is None or self.whole == inference.whole_modules())
            and all(inference.field_now(own(item), name) == value for (item, name), value in self.fields.items())
            and all(own(called).returns == value for called, value in self.results.items())
            and all(inference.stored_before.get(site) == value for site, value in self.stored.items())
            and all(inference.shared_before.get(name) == value for name, value in self.shared.items())
        )

    def stands_elsewhere(self, known: tuple[Env, Env], function: Function | None, inference: _Inference) -> bool:
        """Whether the same holds in another round of normalization."""
        return (
            self.counted == inference.counted(function)
            and self.stands(*known, inference)
            and all(
                question(inference, *map(inference.own, about)) == answer
                for (question, *about), answer in self.asked.items()
            )
        )


def _forms_of_classes(program: Program) -> list[object]:
    return [
        (item.key, [(name, method.key) for name, method in item.methods.items()], *item.node.decorators)
        for item in program.classes.values()
    ]


def _form_of_file(program: Program) -> object:
    """What evaluations of functions may ask of another file, which is found once."""
    if program.form is None:
        bases = [(item.key, item.bases) for item in program.classes.values()]
        program.form = program.prefix, _forms_of_classes(program), bases, program.module_env
    return program.form


_FIELDS_OF_LAYERS = frozenset(
    "bias in_proj_bias in_proj_weight num_batches_tracked running_mean running_var weight".split()
)
_PARTS_OF_TRANSFORMERS = {
    "encoder": frozenset({"torch.nn.TransformerEncoder"}),
    "decoder": frozenset({"torch.nn.TransformerDecoder"}),
}
SITES = 1_000_000  # more than a file has
_MADE = SITES // 2  # the number of the first site that normalizations make
_REMEMBERED = 4  # evaluations of a function, from one analysis to the next


@dataclass(slots=True)
class Memory:
    """What rounds of normalization hand on to the next, and analyses of a file to the next of the same file: the numbers of
    allocation sites, and what has been evaluated, with all that it has read. Functions that are as they were need no
    evaluation where all else is as it was, too.
    """

    sites: dict[cst.CSTNode | tuple[cst.CSTNode, int], int] = field(default_factory=dict)
    runs: defaultdict[cst.CSTNode, list[_Run]] = field(default_factory=lambda: defaultdict(list))
    around: list[object] = field(default_factory=list)
    file: Container[cst.CSTNode] | None = None  # its nodes, before normalizations make others
    count: int = 0
    made: dict[tuple[str, int, int], int] = field(default_factory=dict)  # numbers of sites in nodes that are made anew
    texts: Counter[tuple[str, int]] = field(default_factory=Counter)  # how many of these have the same text, by now

    def next_site(self, site: cst.CSTNode | tuple[cst.CSTNode, int]) -> int:
        """The number of a new site. Nodes that each analysis makes anew have the same ones again, by their text: others are told
        of them.
        """
        node, place = (site, 0) if isinstance(site, cst.CSTNode) else site
        if self.file is None or node in self.file:
            self.count += 1
            return self.count - 1
        text = code(node), place
        self.texts[text] += 1
        return self.made.setdefault((*text, self.texts[text]), _MADE + len(self.made))

    def number_of(self, surroundings: object) -> int:
        """What tells surroundings of functions apart from all others."""
        if surroundings not in self.around:
            self.around.append(surroundings)
        return self.around.index(surroundings)

    def start(self, nodes: Container[cst.CSTNode]) -> None:
        """Start an analysis of a file: what is known of nodes that the last one has made, it makes anew."""
        self.file = nodes
        self.texts.clear()
        for site in [site for site, number in self.sites.items() if number % SITES >= _MADE]:
            del self.sites[site]
        for node, runs in list(self.runs.items()):
            if node in nodes:
                del runs[:-_REMEMBERED]
            else:
                del self.runs[node]


_DECLARED = "declared"  # of a field that is None, of which an annotation says that it may be a tensor


def _declare_field(_: _Inference, item: Class, name: str, value: Value) -> None:
    item.declared[name] = value


def _set_field(inference: _Inference, item: Class, name: str, value: Value, node: cst.CSTNode | None) -> None:
    if value.kind is Kind.UNKNOWN:
        value = next((owner.declared[name] for owner in item.lineage if name in owner.declared), value)
    value = value.but(roots=frozenset({f"field:{name}"}) if value.kind is Kind.TENSOR else frozenset())
    is_declared = _DECLARED in value.types
    if is_declared:
        value = value.but(types=value.types - {_DECLARED}, optional=True)
    if value.kind is Kind.TENSOR and item.is_module and "parameter" not in value.types and not is_declared:
        item.given_buffers.setdefault(name, {})[node] = None
    if value.kind is Kind.TENSOR and item.is_module and not value.types & {"parameter", "buffer"}:
        value = value.but(types=value.types | {"buffer"})  # torch neither trains nor saves a plain tensor
        item.buffers.setdefault(name, False)
    elif value.kind is Kind.TENSOR and "buffer" in value.types:
        item.buffers.setdefault(name, True)
    if node is not None:
        item.field_nodes.setdefault(name, node)
    old = item.fields.get(name)
    if old is not None and old.const is not NOTHING and value.const is NOTHING:
        value = value.but(const=NOTHING)
    if "parameter" in value.types and node is not None:
        given = {other: None for other in item.given_buffers.pop(name, {}) if not inference.overrides(node, other)}
        item.given_buffers.update({name: given} if given else {})
    if "frozen" in value.types and node is not None:
        others = (other for other in item.given_buffers.get(name, ()) if other is not node)
        if all(inference.overrides(node, other) for other in others):
            item.buffers[name] = True  # whatever it was at first
    value = value if old is None else _join_listed(old, value)
    if "parameter" in value.types and name not in item.given_buffers:
        value = value.but(types=value.types - {"buffer"})  # which it was only where it was declared, or at first
        item.buffers.pop(name, None)
    item.fields[name] = value


def _join_listed(one: Value, other: Value) -> Value:
    """The join of what a field holds; a list that becomes a `nn.ModuleList` beside another one is that."""
    module, listed = (one, other) if one.kind is Kind.MODULE else (other, one)
    if module.types == {"torch.nn.ModuleList"} and listed.kind is Kind.LIST and module.kind is Kind.MODULE:
        return join(
            module, Value(Kind.MODULE, types=module.types, sites=module.sites, items=listed.items, elem=listed.elem)
        )
    return join_given(one, other)


# Types of `typing` and `collections.abc` that say how something is used, not what it is: a loader is an `Iterable`.
_OPEN_TYPES = frozenset(
    "Any Callable Collection DefaultDict Deque Generator Iterable Iterator Mapping MutableMapping MutableSequence "
    "OrderedDict Sequence Sized defaultdict deque object".split()
)
# Types that say what holds values, and not which.
_CONTAINER_TYPES = {"list": Kind.LIST, "dict": Kind.DICT, "tuple": Kind.TUPLE}
_ERRORS = frozenset(
    name for name, item in vars(builtins).items() if isinstance(item, type) and issubclass(item, Exception)
)
_COUNTING = (cst.Add, cst.Subtract, cst.Multiply, cst.FloorDivide, cst.Modulo)


def _holds_anything(value: Value) -> bool:
    """Whether it is a container of which it is not known, or not of all parts, what it holds."""
    if not value.is_a(Kind.LIST, Kind.TUPLE, Kind.DICT):
        return False
    return not value.parts or any(item.kind is Kind.UNKNOWN or _holds_anything(item) for item in value.parts)


def _mentions_field(node: cst.BaseExpression, name: str) -> bool:
    return any(isinstance(item, cst.Attribute) and item.attr.value == name for item in (node, *descendants(node)))


def _is_moved(target: cst.BaseExpression, value: cst.BaseExpression) -> bool:
    """Whether a field is given what it holds, moved or in another mode: `self.model = self.model.to(device)`."""
    node = chain_start(value, _MOVING)
    return node is not value and isinstance(target, cst.Attribute) and dotted(node) == dotted(target) is not None


def _replace_field(_: _Inference, item: Class, name: str, value: Value) -> None:
    item.fields[name] = value


def _set_buffer(_: _Inference, item: Class, name: str, persistent: bool) -> None:
    item.buffers[name] = persistent


def _known_of(one: Mapping[str, Value], other: Mapping[str, Value]) -> dict[str, Value]:
    """Values by name, and those of others where nothing is known of them."""
    return {name: one[name] if value.kind is Kind.UNKNOWN and name in one else value for name, value in other.items()}


def _add_caller(_: _Inference, function: Function, node: cst.Call) -> None:
    function.callers[node] = None


_CALLED = {Kind.MODULE, Kind.FUNCTION}


_OF_ANY_CLASS = Value(Kind.MODULE)
_AWAITED = Value(among=frozenset({AWAITED}))


def note_passed(seen: dict[str, Value], name: str, value: Value) -> None:
    """Note a further argument for a parameter, by its name."""
    old = seen.get(name)
    if old is not None and _may_be_modules(old, value):
        seen[name] = _OF_ANY_CLASS  # called as a module of any class, which serves functions as well
        return
    if old is not None and {old.kind, value.kind} == {Kind.CLASS, Kind.UNKNOWN}:
        seen[name] = old if old.kind is Kind.CLASS else value  # what else there may be is called in the same way
        return
    seen[name] = value if old is None else join_given(old, value)


def _may_be_modules(old: Value, value: Value) -> bool:
    """Whether one of two arguments is a module, and the other a function, one of any class, or what a function is given itself."""
    kinds = {old.kind, value.kind}
    if Kind.MODULE not in kinds or not all(item.kind in _CALLED or _is_passed_on(item) for item in (old, value)):
        return False
    return len(kinds) > 1 or old == _OF_ANY_CLASS


def _is_of_objects(value: Value) -> bool:
    """Whether a value is an object of known classes of the program, or a container of such objects."""
    held = value.element() if value.is_a(Kind.LIST, Kind.TUPLE, Kind.DICT) else value
    return held.kind is Kind.OBJECT and bool(held.types)


def _is_passed_on(value: Value) -> bool:
    """Whether nothing is known of an argument but that a function was given it."""
    return value.kind is Kind.UNKNOWN and bool(value.roots) and all(root.startswith("param:") for root in value.roots)


_LEAVING = (cst.Break, cst.Continue, cst.Return)
_BINDING = frozenset({cst.AssignTarget, cst.AugAssign, cst.For, cst.NamedExpr, cst.AsName})


@lru_cache(maxsize=2048)
def parameter_returned(function: cst.FunctionDef) -> str | None:
    """The parameter that a function returns in all places, where it is never bound to anything else."""
    names: set[str] = set()
    stack: list[cst.CSTNode] = [function.body]
    bound: set[str] = set()
    while stack:
        node: Any = stack.pop()
        kind = type(node)
        if kind is cst.Return:
            names.add(node.value.value if type(node.value) is cst.Name else "")
        elif kind in _BINDING:
            bound.update(bound_names(node.name if kind is cst.AsName else node.target))
        elif kind is cst.Yield:
            return None
        if kind is not cst.Name and kind is not cst.FunctionDef and kind is not cst.Lambda:
            stack += children(node)
    parameters = {param.name.value for param in (*function.params.params, *function.params.kwonly_params)}
    return names.pop() if len(names) == 1 and names <= parameters - bound else None


@lru_cache(maxsize=2048)
def _parameter_copied(function: cst.FunctionDef) -> str | None:
    """The parameter of which a function gives back a list of copies and does no more:
    `return nn.ModuleList([copy.deepcopy(layer) for _ in range(n)])`.
    """
    body = function.body.body if isinstance(function.body, cst.IndentedBlock) else ()
    lines = [line for line in body if not is_docstring(line)]
    match lines:
        case [cst.SimpleStatementLine(body=[cst.Return(value=cst.BaseExpression() as value)])]:
            while isinstance(value, cst.Call) and len(value.args) == 1:
                value = value.args[0].value
            if isinstance(value, (cst.ListComp, cst.GeneratorExp)) and isinstance(value.elt, cst.Call):
                name = (dotted(value.elt.func) or "").rpartition(".")[2]
                copied = dotted(value.elt.args[0].value) if name == "deepcopy" and value.elt.args else None
                return copied if copied in {param.name.value for param in function.params.params} else None
    return None


@lru_cache(maxsize=2048)
def _parameters_chosen(function: cst.FunctionDef) -> frozenset[tuple[str, bool]]:
    """The parameters of which a function gives back one, or (True) what it makes: `return x if x is not None else make()`; none
    if it does anything else.
    """
    lines = [line for line in suite_body(function) if not is_docstring(line)]
    nodes = [node for line in lines for node in (line, *descendants(line))]
    found: set[tuple[str, bool]] = set()
    waiting = [node.value for node in nodes if isinstance(node, cst.Return)]
    ends = (
        isinstance(lines[-1], cst.SimpleStatementLine) and isinstance(lines[-1].body[0], cst.Return) if lines else False
    )
    if not ends or any(isinstance(node, (*_BINDING, cst.Yield, cst.FunctionDef, cst.Lambda)) for node in nodes):
        return frozenset()
    while waiting:
        match waiting.pop():
            case cst.IfExp(body=body, orelse=other):
                waiting += [body, other]
            case cst.Name(value=name):
                found.add((name, False))
            case cst.Call(func=cst.Name(value=name), args=[]):
                found.add((name, True))
            case _:
                return frozenset()
    names = {param.name.value for param in function.params.params}
    asks = any(isinstance(node, cst.Call) and dotted(node.func) in FUNCTION_TESTS for node in nodes)
    is_told = asks or not any((name, True) in found for name, is_made in found if not is_made)
    return frozenset(found) if len(found) > 1 and {name for name, _ in found} <= names and is_told else frozenset()


def _entries(node: cst.BaseExpression | None) -> list[tuple[str, cst.BaseExpression]] | None:
    """The entries of `{"a": x}`, `dict(a=x)` or `OrderedDict([("a", x)])`; None if some key is not written out."""
    found: list[tuple[object, cst.BaseExpression]] = []
    match node:
        case cst.Dict(elements=elements):
            for item in elements:
                if not isinstance(item, cst.DictElement):
                    return None
                found.append((_written_string(item.key), item.value))
        case cst.Call(args=[cst.Arg(value=cst.List(elements=pairs) | cst.Tuple(elements=pairs), keyword=None)]):
            for pair in pairs:
                if not isinstance(pair.value, (cst.Tuple, cst.List)) or len(pair.value.elements) != 2:
                    return None
                found.append((_written_string(pair.value.elements[0].value), pair.value.elements[1].value))
        case cst.Call(func=cst.Name("dict" | "OrderedDict"), args=args):
            for given in args:
                if given.keyword is None:
                    return None
                found.append((given.keyword.value, given.value))
        case _:
            return None
    entries = [(key, value) for key, value in found if isinstance(key, str)]
    return entries if len(entries) == len(found) == len(dict(entries)) else None


def _with_entry(container: Value, key: object, value: Value) -> Value:
    """A ModuleDict whose entries have names, with one more entry, or another value of one."""
    names, items = container.const, container.items
    assert isinstance(names, tuple) and items is not None
    if not isinstance(key, str):
        return container.but(items=None, const=NOTHING, elem=join(container.element(), value))
    if key not in names:
        return container.but(items=(*items, value), const=(*names, key))
    place = names.index(key)
    return container.but(items=(*items[:place], value, *items[place + 1 :]))


def text_pattern(node: cst.BaseExpression, value: Value) -> str | None:
    """The pattern that a text has: itself, or what stands around the holes of `f"norm{i}"` and `"norm%d" % i`."""
    if isinstance(value.const, str):
        return re.escape(value.const)
    match node:
        case cst.FormattedString(parts=parts):
            texts = [re.escape(part.value) if isinstance(part, cst.FormattedStringText) else ".*" for part in parts]
            return "".join(texts)
        case cst.BinaryOperation(left=cst.SimpleString() as left, operator=cst.Modulo()):
            return ".*".join(map(re.escape, _PERCENT_HOLES.split(str(left.evaluated_value))))
        case cst.SimpleString():
            return re.escape(str(node.evaluated_value))
        case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
            sides = [text_pattern(side, UNKNOWN) for side in (left, right)]
            return None if sides == [None, None] else "".join(side or ".*" for side in sides)
        case cst.Call(func=cst.Attribute(value=cst.SimpleString() as text, attr=cst.Name("format"))):
            return ".*".join(map(re.escape, re.split(r"\{[^}]*\}", str(text.evaluated_value))))
    return None


def _written_string(node: cst.BaseExpression) -> object:
    return node.evaluated_value if isinstance(node, cst.SimpleString) else None


def _axes_of(pattern: str) -> int | None:
    """How many axes one side of a pattern of einops names: `b (h w) c` has three. None where dots stand for some."""
    groups = re.sub(r"\([^)]*\)", " g ", pattern)
    return None if "..." in pattern or "…" in pattern else len(groups.split())


def _asks_for_parameters(node: cst.BaseExpression) -> bool:
    """Whether something, whatever it is, is asked for its parameters."""
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "parameters"


def _is_of_paths(value: Value) -> bool:
    """Whether something is a path, or belongs to `pathlib`."""
    return isinstance(value.const, str) and value.const.startswith("pathlib.")


def _has_default(asked: cst.BaseExpression) -> bool:
    """Whether `getattr` or `get` is given what it gives where there is nothing."""
    return isinstance(asked, cst.Call) and len(asked.args) > (2 if isinstance(asked.func, cst.Name) else 1)


def _is_list_of_modules(value: Value) -> bool:
    return value.kind is Kind.LIST and value.element().kind is Kind.MODULE


def _ordered_dict(node: cst.Call, arguments: list[Value]) -> Value:
    """What OrderedDict holds: made of pairs, of another dict, of keywords, or empty."""
    found: list[Value] = []
    for argument, value in zip(node.args, arguments, strict=True):
        if argument.star:
            return Value(Kind.DICT)
        pairs = [] if argument.keyword is not None else list(value.items or ((value.elem,) if value.elem else ()))
        if argument.keyword is not None:
            found.append(value)
        elif value.kind is Kind.DICT:
            found += [value.elem] if value.elem is not None else []
        else:
            found += [pair.items[1] if pair.items and len(pair.items) == 2 else UNKNOWN for pair in pairs]
    return Value(Kind.DICT, elem=join_all(found) if found else None)


def _made_by_default(node: cst.Call) -> Value | None:
    """What `defaultdict(int)` makes for a key that it has not seen."""
    match node.args:
        case [cst.Arg(value=cst.Lambda(body=cst.Integer() | cst.Float() as number))]:
            return INT if isinstance(number, cst.Integer) else FLOAT
    factory = dotted(node.args[0].value) if len(node.args) == 1 else None
    known = {"int": INT, "float": FLOAT, "list": Value(Kind.LIST), "dict": Value(Kind.DICT)}
    return known.get(factory or "")


def _of_argument(made: Value, arguments: list[Value]) -> Value:
    """What `torch.Tensor(x)` gives: a tensor that is given, or may be, is not copied."""
    if len(arguments) != 1 or arguments[0].kind not in (Kind.TENSOR, Kind.UNKNOWN):
        return made
    shared = arguments[0].roots if arguments[0].kind is Kind.TENSOR else frozenset[str]()
    return made.but(roots=shared or frozenset({"*"}))


def _is_object(spec: FunctionSpec) -> bool:
    """Whether a row is of a name that stands for an object with methods."""
    return not spec.signature and isinstance(spec.result, dict) and spec.result.get("kind") == "torch_object"


def torch_value(name: str) -> Value:
    """What a name of torch stands for that is no constant."""
    dtype = class_dtype(name)
    return Value(Kind.TORCH, const=name, dtype=dtype, types=frozenset({TENSOR_CLASS} if dtype is not None else ()))


def _of_any_float(value: Value) -> Value:
    """What layers give whose parameters may have another dtype than float32."""
    if value.items is not None:
        return value.but(items=tuple(map(_of_any_float, value.items)))
    return value.but(dtype="float") if value.kind is Kind.TENSOR and value.dtype in FLOATS else value


def _where(source: Value, result: Value) -> Value:
    """What is computed from a tensor of a batch, with methods and operators: NumPy arrays give NumPy arrays."""
    if source.kind is result.kind is Kind.TENSOR and "host" in source.types - result.types:
        return result.but(types=result.types | {"host"})
    return result


class _Inference:
    def __init__(self, program: Program, tables: Tables, memory: Memory) -> None:
        self.program = program
        self.at_first = dict(program.module_env)  # what names of the module are bound to before its first line
        self.tables = tables
        self.memory = memory
        self.values = Values(program, sites=memory.sites)
        self.sites = self.values.sites
        self.places = self.values.places
        self.places.update((n, site if isinstance(site, cst.CSTNode) else site[0]) for site, n in self.sites.items())
        # Roots of unknown values that have an index, and of those that numbers are added to.
        self.indexed: defaultdict[Function | None, set[str]] = defaultdict(set)
        self.summed: defaultdict[Function | None, set[str]] = defaultdict(set)
        self.computed_from: dict[str, frozenset[str]] = {}  # roots of what an unknown value and a number give
        self.stored: Env = dict(program.stored_elsewhere)  # what is stored into a container, by where it is made
        self.derived: dict[str, list[Class]] = {}
        self.stored_before: Env = {}
        self.shared: Env = {}  # all that variables are bound to which some function declares global or nonlocal
        self.shared_before: Env = {}
        self.declared: dict[str, set[Function | None]] = {}  # which names some function declares so: for whom
        self.declaring: set[tuple[Function, str]] = set()
        self.find_declared()
        self.trials: list[Env] = []  # all that variables are bound to in the bodies of the `try` around
        self.known_before: Mapping[cst.CSTNode, Value] = {}  # the values of the last round
        self.begins: dict[cst.BaseExpression, First] = {}  # what may be the first layer of a list that is made empty
        self.breaks: list[list[Env]] = []  # what holds at each `break` of the loops around
        self.continues: list[list[Env]] = []
        self.function: Function | None = None
        self.owner: Class | None = None
        self.mixed: dict[
            tuple[Function, str], Value
        ] = {}  # what classes are given for a parameter, beside what is not known
        self.return_values: list[Value] = []
        self.returned_errors: list[Value] = []
        self.known_modules: list[Class] = program.module_classes()
        self.has_tensors_only = not (program.mentions("numpy") or program.mentions("pandas"))
        self.lambdas: dict[cst.Lambda, Env] = {}  # what calls pass for their parameters
        self.lambda_envs: dict[cst.Lambda, Env] = {}
        self.every: dict[Function | None, Env] = {}  # for each variable all that it is bound to, in this round
        self.every_before: dict[Function | None, Env] = {}
        self.runs: dict[Function, _Run] = {}
        self.current: _Run | None = None
        self.has_casts = has_casts(program)
        self.gives = {mark[1]: mark[2:] for mark in all_marks(program) if mark[0] == GIVES}
        self.attributes: dict[tuple[cst.FunctionDef | None, str], set[str]] | None = None  # read of names in functions
        self.batches: set[str] = set()  # the roots of what loaders have put together
        self.shown: dict[tuple[cst.FunctionDef | None, str], list[cst.Name]] | None = (
            None  # asked there for what tensors have
        )
        self.field_evidence = FieldEvidence(program)
        self.surroundings: object = None  # what every function can read: the names and classes of the module
        self.around = 0  # the number of that, and of what is said of all functions and classes
        self.heads: dict[Function, tuple[object, ...]] = {}
        self.form = memory.number_of(self.form_of_program())
        self.lineages = memory.number_of((self.form, self.bases()))  # and of the bases of classes, as they are known

    def summary(self) -> object:
        functions = [(dict(item.seen), dict(item.evidence), item.returns) for item in self.program.functions.values()]
        classes = [(dict(item.fields), list(item.bases)) for item in self.program.classes.values()]
        return functions, classes, dict(self.program.module_env), dict(self.stored), dict(self.shared)

    def is_settled_by(self, rounds: int) -> bool:
        """Whether a round finds what the one before has found, of so many at most."""
        for _ in range(rounds):
            before = self.summary()
            self.run()
            if self.summary() == before:
                return True
        return False

    def take_modules(self) -> None:
        """Begin anew with the modules that classes are given, where they are given something else that is not known: if that comes
        from a field which holds what was given, it is a module, too.
        """
        for (function, name), value in self.mixed.items():
            function.seen = {**function.seen, name: value}

    def take_what_is_known(self) -> None:
        """Begin anew with what either of the last two rounds knows, where they differ: `Critic(actor.encoder)`, where actors and
        critics are of one class, finds nothing in a field as long as that is not known to hold what it is given.
        """
        for function in self.program.functions.values():
            function.seen = _known_of(function.seen_before, function.seen)
        for item in self.program.classes.values():
            item.fields = _known_of(item.fields_before, item.fields)

    def run(self) -> None:
        self.mixed = {}
        self.known_before, self.values.of_node = self.values.of_node, {}
        self.values.passed = {}
        for function, seen in self.values.seen_before.items():
            function.seen = dict(seen)
        self.every_before, self.every = self.every, {}
        self.stored_before, self.stored = self.stored, dict(self.program.stored_elsewhere)
        self.derived = self.find_derived()
        self.shared_before, self.shared = self.shared, {}
        for item in self.program.classes.values():  # each round starts anew and reads what the last one found
            item.fields_before, item.fields = item.fields, {}
        for function in self.program.functions.values():
            function.seen_before, function.seen = function.seen, dict(function.seen_elsewhere)
        env: Env = dict(self.at_first)
        self.function, self.owner = None, None
        for line in self.program.index.module.body:
            self.module_line(line, env)
        env |= {name: value for name, value in self.bound_by_functions() if name not in env}
        self.program.module_env = env
        bases = self.bases()
        before, self.surroundings = self.surroundings, (env, bases)
        if self.surroundings != before:
            self.runs.clear()
            self.around = self.memory.number_of((self.form, dict(env), bases))
        for function in self.program.functions.values():
            if function.outer is not None:
                if function.outer.env:
                    self.run_function(function)
            elif function in self.runs and self.stands(function):
                self.repeat(self.runs[function])
                self.every[function] = self.every_before.get(function, {})
            elif (run := self.remembered(function)) is not None:
                self.runs[function] = run
                self.carry(function, run)
            else:
                self.evaluate_anew(function)
        self.grow_fields()

    def bases(self) -> list[list[Value]]:
        return [list(item.bases) for item in self.program.classes.values()]

    def module_line(self, line: cst.CSTNode, env: Env) -> None:
        """Evaluate a statement of the module, if nothing of what it read the last time has changed."""
        known, around = (env, self.program.module_env), self.lineages
        for run in reversed(self.memory.runs[line]):
            if run.around == around and run.stands_elsewhere(known, None, self):
                self.carry(None, run)
                env.update(run.env)
                return
        run = self.current = _Run(dict(env), self.program.module_env, around=around, counted=self.counted(None))
        self.statement(line, env)
        self.current = None
        self.remember(run, line, None, dict(env))

    def evaluate_anew(self, function: Function) -> None:
        run = self.current = self.runs[function] = _Run(function.seen_before, dict(function.evidence))
        run.around, run.counted = self.around, self.counted(function)
        self.ask(_Inference.head_of, function)
        self.run_function(function)
        self.current = None
        run.is_settled = not run.lambdas or self.every.get(function) == self.every_before.get(function)
        run.every, run.returns, run.evidence_left = self.every[function], function.returns, dict(function.evidence)
        self.remember(run, function.node, function, function.env)

    def remember(self, run: _Run, node: cst.CSTNode, function: Function | None, env: Env) -> None:
        if run.repeatable and run.is_portable and not (run.lambdas and function is None):
            run.env, run.counted_left = env, self.counted(function)
            run.lambdas = {made: dict(inner) for made, inner in run.lambdas.items()}
            self.memory.runs[node].append(run)

    def stands(self, function: Function) -> bool:
        run = self.runs[function]
        return run.is_settled and run.stands(function.seen_before, function.evidence, self)

    def remembered(self, function: Function) -> _Run | None:
        """What an earlier round of normalization has made of a function, if it knew the same."""
        found, known = self.memory.runs[function.node], (function.seen_before, function.evidence)
        same = (run for run in reversed(found) if run.around == self.around)
        return next((run for run in same if run.stands_elsewhere(known, function, self)), None)

    def repeat(self, run: _Run) -> None:
        self.values.of_node.update(run.of_node)
        for write, arguments in run.writes:
            self.do(write, list(map(self.own, arguments)))

    def carry(self, function: Function | None, run: _Run) -> None:
        """Do what an earlier round of normalization has done."""
        self.repeat(run)
        if function is not None:
            self.every[function], function.env, function.returns = run.every, run.env, run.returns
            function.evidence = dict(run.evidence_left)
        indexed, summed = run.counted_left
        self.indexed[function], self.summed[function] = set(indexed), set(summed)
        self.computed_from.update(run.computed_from)
        self.lambda_envs.update((made, dict(inner)) for made, inner in run.lambdas.items())
        self.values.after.update(run.after)
        self.values.receivers.update(run.receivers)
        for known, found in ((self.values.callees, run.callees), (self.values.partials, run.partials)):
            known.update((node, tuple(map(self.own, functions))) for node, functions in found.items())

    def counted(self, function: Function | None) -> tuple[frozenset[str], frozenset[str]]:
        return frozenset(self.indexed[function]), frozenset(self.summed[function])

    def own(self, thing: Any) -> Any:
        """What a function or class of an earlier round of normalization is in this one; all else is the same."""
        kind = type(thing)
        if kind is Function:
            return self.program.by_key.get(thing.key, thing)
        return self.program.class_by_key.get(thing.key, thing) if kind is Class else thing

    def form_of_program(self) -> object:
        """What evaluations of functions may ask of the program, whatever the functions in it contain."""
        program = self.program
        classes = _forms_of_classes(program)
        others = [_form_of_file(module) for module in program.modules.values()]
        declared = {name: {item and item.key for item in found} for name, found in self.declared.items()}
        words = [program.mentions(word) for word in ("numpy", "pandas", "Counter", "distributions")]
        words.append(self.has_casts)
        return classes, others, declared, {(item.key, name) for item, name in self.declaring}, words

    def write(self, write: Callable[..., None], *arguments: object) -> None:
        """Change what is known of other parts of the program, now and whenever the present function is repeated."""
        self.do(write, arguments)
        if self.current is not None:
            self.current.writes.append((write, arguments))

    def do(self, write: Callable[..., None], arguments: Sequence[object]) -> None:
        write(self, *arguments)
        item = arguments[0]
        if isinstance(item, Class) and item.node not in self.program.classes:
            self.values.noted.add(item.place)

    def ask(self, question: Callable[..., Any], *about: object) -> Any:
        """Ask for what another round of normalization may answer differently."""
        answer = question(self, *about)
        if self.current is not None:
            self.current.asked.setdefault((question, *about), answer)
        return answer

    def head_of(self, function: Function) -> tuple[object, ...]:
        """What calls of a function may ask, whatever is known of values in it."""
        if function not in self.heads:
            node, given = function.node, self.gives.get(function.key)
            owned = [mark for mark in self.program.marks if mark[0] == OWNED and mark[1] == function.key]
            is_restated = given is not None and (RESTATED_CALLS,) in self.program.marks
            is_own = node in self.program.functions
            head = (node.params, *node.decorators, node.asynchronous, is_own, given, is_restated, sorted(owned))
            self.heads[function] = head
        return self.heads[function]

    def parameter_returned(self, function: Function) -> str | None:
        return parameter_returned(function.node)

    def parameter_copied(self, function: Function) -> str | None:
        return _parameter_copied(function.node)

    def parameters_chosen(self, function: Function) -> frozenset[tuple[str, bool]]:
        return _parameters_chosen(function.node)

    def gives_present(self, function: Function, name: str) -> bool:
        return gives_present(self.values.callees, function, name)

    def yields(self, function: Function) -> bool:
        return _yields(function.node)

    def evidence_of(self, function: Function, name: str) -> Value:
        return function.evidence.get(name, UNKNOWN)

    def field_so_far(self, item: Class, name: str) -> tuple[Value | None, Value | None]:
        return self.field_now(item, name), item.fields.get(name)

    def passed_to(self, node: cst.Lambda) -> Env:
        """What calls have passed to a lambda by now."""
        return dict(self.lambdas.get(node, {}))

    def every_of(self, function: Function | None) -> Env:
        """All that the variables of a function are bound to, as far as the last round has seen."""
        return self.every_before.get(function, {})

    def is_some_field(self, name: str) -> bool:
        return any(name in {**item.fields_before, **item.fields} for item in self.program.classes.values())

    def origin_of(self, root: str) -> frozenset[str] | None:
        """The roots of what an unknown value was computed from, with numbers."""
        return self.computed_from.get(root)

    def computed(self, roots: frozenset[str]) -> frozenset[str]:
        """Those of some roots whose values were computed from others, with numbers."""
        if self.current is not None:
            for root in roots - self.current.computed_from.keys():
                self.ask(_Inference.origin_of, root)
        return roots & self.computed_from.keys()

    def note_computed(self, root: str, roots: frozenset[str]) -> None:
        self.computed_from[root] = roots
        if self.current is not None:
            self.current.computed_from[root] = roots

    def note_callees(self, node: cst.Call, functions: tuple[Function, ...]) -> None:
        self.values.callees[node] = functions
        if self.current is not None:
            self.current.callees[node] = functions

    def note_receiver(self, node: cst.Call, value: Value) -> Value:
        self.values.receivers[node] = value
        if self.current is not None:
            self.current.receivers[node] = value
        return value

    def see(self, function: Function, name: str, value: Value) -> None:
        """Note what a caller passes for a parameter."""
        self.keep_seen(function)
        old = function.seen.get(name)
        if old is not None and function.name == "__init__" and {old.kind, value.kind} == {Kind.MODULE, Kind.UNKNOWN}:
            self.mixed[function, name] = old if old.kind is Kind.MODULE else value
        note_passed(function.seen, name, value)
        if function.node not in self.program.functions:
            note_passed(self.values.passed.setdefault(function.key, {}), name, value)

    def keep_seen(self, function: Function) -> None:
        """Keep what was passed to a function of another file before this one is looked at."""
        if function not in self.values.seen_before and function.node not in self.program.functions:
            self.values.seen_before[function] = function.seen
            function.seen = dict(function.seen)

    def see_module(self, function: Function, name: str) -> None:
        self.keep_seen(function)
        function.seen[name] = Value(Kind.MODULE)
        if function.node not in self.program.functions:
            self.values.passed.setdefault(function.key, {})[name] = Value(Kind.MODULE)

    def note(self, node: cst.CSTNode, value: Value) -> None:
        self.values.of_node[node] = value
        if self.current is not None:
            self.current.of_node[node] = value

    def result_of(self, function: Function) -> Value | None:
        if self.current is not None:
            self.current.results.setdefault(function, function.returns)
            self.ask(_Inference.head_of, function)
        return function.returns

    def field_now(self, item: Class, name: str) -> Value | None:
        """What a field may hold, as far as it is known; where a plain class leaves it empty, what those derived from it put
        there, or what this file does, where another one defines the class.
        """
        value = item.field_value(name)
        if not _holds_nothing(value) or item.method(name) is not None:
            return value
        if value is not None and item.node not in self.program.classes:
            value = next((one.fields[name] for one in item.lineage if name in one.fields), value)
        found = [part for one in self.derived.get(item.key, ()) if (part := one.field_value(name)) is not None]
        return join_all([*([value] if value is not None else []), *found]) if found else value

    def find_derived(self) -> dict[str, list[Class]]:
        """The classes of the program, of all files, by the keys of those that they derive from."""
        found: dict[str, list[Class]] = {}
        for program in self.program.files:
            for item in program.classes.values():
                for base in item.lineage[1:]:
                    found.setdefault(base.key, []).append(item)
        return found

    def field_of(self, item: Class, name: str) -> Value | None:
        value = self.field_now(item, name)
        if self.current is not None:
            self.current.fields.setdefault((item, name), value)
            self.ask(_Inference.field_so_far, item, name)
        return value

    def run_function(self, function: Function) -> None:
        self.function, self.owner = function, function.owner
        self.return_values, self.returned_errors = [], []
        env: Env = {}
        for param in function.parameters:
            env[param.name.value] = self.parameter_value(function, param)
        self.every[function] = dict(env)
        if (star := function.star_name) is not None:
            shared = frozenset({"*"})
            passed = function.seen_before.get(star, UNKNOWN).but(rank=None, const=NOTHING, roots=shared)
            env[star] = Value(Kind.TUPLE, elem=passed if _is_told(passed) else None, roots=shared)
        if (star := function.double_star_name) is not None:
            passed = function.seen_before.get(star, UNKNOWN).but(rank=None, const=NOTHING, roots=frozenset({"*"}))
            env[star] = Value(Kind.DICT, elem=passed if _is_told(passed) else None)
        for param in function.parameters:
            self.note(param.name, env[param.name.value])
        self.block(function.node.body.body, env)
        function.env = env
        if returned := self.return_values or self.returned_errors:
            function.returns = self.shown_outside(join_all(returned))
        else:
            function.returns = self.modules_yielded(function) or NONE

    def modules_yielded(self, function: Function) -> Value | None:
        """What a generator of modules gives to go through; None of other functions."""
        if not self.ask(_Inference.yields, function):
            return None
        given = [node.value for node in descendants(function.node.body, cst.Yield) if node.value is not None]
        parts = (
            join_all(
                [
                    self.element_of(self.values(item.item)) if isinstance(item, cst.From) else self.values(item)
                    for item in given
                ]
            )
            if given
            else UNKNOWN
        )
        is_part = parts.kind is Kind.MODULE or _NAMED_PART in parts.types
        return Value(Kind.LIST, elem=parts) if is_part or parts.kind is Kind.TUPLE else None

    def shown_outside(self, value: Value) -> Value:
        """What a function gives: a tensor that was made at module level may have other names there."""
        if AWAITED in value.among:
            return UNKNOWN
        if value.kind is Kind.TENSOR and any(self.is_of_module(root) for root in value.roots):
            return value.but(roots=value.roots | {"*"})
        if value.items is not None:
            return value.but(items=tuple(map(self.shown_outside, value.items)))
        return value

    def is_of_module(self, root: str) -> bool:
        """Whether storage was made at module level in this file."""
        number = root.removeprefix("new:")
        site = self.places.get(int(number)) if number.isdecimal() else None
        return site is not None and self.program.function_running(site) is None

    # parameters

    def parameter_value(self, function: Function, param: cst.Param) -> Value:
        name = param.name.value
        if name == function.self_name and function.owner is not None:
            kind = Kind.MODULE if function.owner.is_module else Kind.OBJECT
            others = self.program.class_by_key.values() if kind is Kind.OBJECT else ()
            types = {
                item.key for item in others if item.base_classes and function.owner in item.lineage and item.is_module
            }
            if types:  # what several modules have in common
                return Value(Kind.MODULE, types=frozenset(types), roots=frozenset({"self"}))
            return Value(kind, types=frozenset({function.owner.key}), roots=frozenset({"self"}))
        if function.owner is not None and "classmethod" in function.decorators and name == function.parameter_names[0]:
            return Value(Kind.CLASS, types=frozenset({function.owner.key}))
        value = self.annotation_value(param.annotation.annotation) if param.annotation else UNKNOWN
        seen = function.seen_before.get(name)
        if seen is not None and seen.dtype is not None and _ANY in function.seen_before:
            seen = seen.but(dtype=None, among=seen.among | {seen.dtype})
        if value.kind is Kind.UNKNOWN and seen is not None:
            value = (
                seen.but(rank=None, const=NOTHING, items=None) if seen.kind is Kind.TENSOR else seen.but(const=NOTHING)
            )
        if value.kind is Kind.TENSOR and value.dtype is None and seen is not None and seen.kind is Kind.TENSOR:
            value = value.but(among=value.among | ({seen.dtype} if seen.dtype is not None else seen.among))
        if value.is_a(Kind.MODULE, Kind.OPTIMIZER, Kind.SCHEDULER) and seen is not None and seen.kind is value.kind:
            value = seen
        if value.kind is Kind.FUNCTION and not value.types and seen is not None and seen.kind is Kind.FUNCTION:
            value = seen
        if seen is not None and seen.kind is value.kind and _holds_anything(value):
            value = seen.but(const=NOTHING)
        if seen is not None and _is_of_objects(value) and _is_of_objects(seen):
            value = seen.but(const=NOTHING)  # of classes that derive from the one of the annotation
        if value.kind is Kind.MODULE and seen is not None and seen.is_a(Kind.CLASS, Kind.TUPLE, Kind.LIST):
            value = seen.but(const=NOTHING)  # `Model: nn.Module` of what makes modules
        elif value.kind is Kind.MODULE and self.ask(_Inference.is_called_to_make, function, name):
            value = UNKNOWN
        default = self.default_value(param)
        if value.kind is Kind.DEVICE:  # `device: torch.device` is given `"cuda"` as well
            given = [item for item in (seen, default) if item is not None and item.kind is not Kind.NONE]
            value = UNKNOWN if any(item.kind is not Kind.DEVICE for item in given) else value
        if default is not None and value.kind is Kind.UNKNOWN and default.kind not in (Kind.NONE, Kind.UNKNOWN):
            value = default.but(const=NOTHING)
        if default is not None and default.kind is value.kind is Kind.MODULE and default.types:
            value = default if not value.types else join(value, default)
        if value.kind is Kind.UNKNOWN and seen is None and (fixture := self.ask(_Inference.fixture_of, function, name)):
            value = self.given_by_fixture(fixture)
        if value.kind is Kind.UNKNOWN and seen is None:
            value = self.given_by_mark(function, name)
        evidence = function.evidence.get(name)
        if evidence is not None and value.kind in (Kind.UNKNOWN, Kind.NONE):
            value = evidence.but(among=TRAINS) if value.may_train and evidence.kind is Kind.MODULE else evidence
        if value.kind is Kind.UNKNOWN and function.name == "__init__":
            value = self.shown_by_fields(function, name)
        if value.kind in (Kind.UNKNOWN, Kind.NONE) and self.is_forward_input(function, param, default):
            value = TENSOR
        if value.kind is Kind.UNKNOWN and _has_own_gradient(function, name):
            value = TENSOR
        if value.kind in (Kind.TENSOR, Kind.UNKNOWN, Kind.LIST, Kind.TUPLE, Kind.DICT):
            is_own = value.kind is Kind.TENSOR and (OWNED, function.key, name) in self.program.marks
            value = value.but(roots=frozenset({f"new:param:{name}" if is_own else f"param:{name}"}))
        if default is not None and default.kind is Kind.NONE and value.kind is not Kind.NONE:
            value = value.but(optional=True)
            if value.kind is Kind.UNKNOWN and seen is None and _ANY not in function.seen_before:
                value = value.but(among=value.among | {UNGIVEN})
        return value

    def fixture_of(self, function: Function, name: str) -> Function | None:
        """The fixture of the file that pytest gives a test, or another fixture, for a parameter."""
        fixture = self.program.by_key.get(f"{self.program.prefix}{name}")
        is_asked = function.outer is None and (function.name.startswith("test") or is_fixture(function))
        return fixture if is_asked and fixture not in (None, function) and is_fixture(fixture) else None

    def given_by_fixture(self, fixture: Function) -> Value:
        """What a fixture returns, or yields."""
        result = self.result_of(fixture) or UNKNOWN
        given = result.element() if self.ask(_Inference.yields, fixture) else result
        return given.but(const=NOTHING, roots=frozenset()) if given.is_a(Kind.MODULE, Kind.OBJECT) else UNKNOWN

    def given_by_mark(self, function: Function, name: str) -> Value:
        """What pytest gives a parameter of a test: one of the values in its decorator. Where two parameters are called, tests
        leave out what does not go together, so that neither is known.
        """
        given: dict[str, Value] = {}
        for names, values in parametrized(function):
            one = self.expression(values, dict(self.program.module_env)).element()
            several = one.items if one.items is not None and len(one.items) == len(names) else [UNKNOWN] * len(names)
            given.update({names[0]: one} if len(names) == 1 else dict(zip(names, several, strict=True)))
        value = given.get(name, UNKNOWN)
        called = [item for item in given.values() if item.is_a(Kind.CLASS, Kind.FUNCTION)]
        if value in called and len(called) > 1:
            return Value(among=frozenset(f"{CALLED}{item}" for item in value.types))
        return value if isinstance(value.const, Partial) else value.but(const=NOTHING, roots=frozenset())

    def shown_by_fields(self, function: Function, name: str) -> Value:
        """What a parameter of an `__init__` is by what the methods ask the fields for that hold it."""
        match self.ask(_Inference.kind_by_fields, function, name):
            case Kind.MODULE:
                return self.any_module()
            case Kind.OPTIMIZER:
                return Value(Kind.OPTIMIZER)
        return UNKNOWN

    def is_called_to_make(self, function: Function, name: str) -> bool:
        return makes_modules(function, name)

    def kind_by_fields(self, function: Function, name: str) -> Kind:
        return self.field_evidence.kind_of(function, name)

    def default_value(self, param: cst.Param) -> Value | None:
        if param.default is None:
            return None
        return self.expression(param.default, dict(self.program.module_env))

    def is_forward_input(self, function: Function, param: cst.Param, default: Value | None) -> bool:
        if function.name != "forward" or function.owner is None or not function.owner.is_module:
            return False
        return param.annotation is None and (default is None or default.kind is Kind.NONE)

    def annotation_value(self, node: cst.BaseExpression, env: Env | None = None) -> Value:
        """What an annotation says, in the words of the file, or of an environment in which no name is bound anew."""
        if isinstance(node, cst.SimpleString):
            try:
                node = cst.parse_expression(ast.literal_eval(node.value))
            except (cst.ParserSyntaxError, ValueError, SyntaxError):
                return UNKNOWN
        name = dotted(node)
        if name in _ANNOTATIONS:
            return _ANNOTATIONS[name].but(const=NOTHING) if name != "None" else NONE
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.BitOr):
            return join(self.annotation_value(node.left, env), self.annotation_value(node.right, env))
        if isinstance(node, cst.Subscript):
            return self.generic_annotation(node, env)
        value = self.expression(node, dict(self.program.module_env if env is None else env))
        short = (name or "").rpartition(".")[2]
        if value.is_a(Kind.PYTHON, Kind.UNKNOWN) and short.lower() in _CONTAINER_TYPES:
            return Value(_CONTAINER_TYPES[short.lower()])
        if value.kind is Kind.PYTHON and _is_open_type(value, short):
            return UNKNOWN
        return self.instance_of(value)

    def generic_annotation(self, node: cst.Subscript, env: Env | None) -> Value:
        base = (dotted(node.value) or "").split(".")[-1]
        inner = [item.slice.value for item in node.slice if isinstance(item.slice, cst.Index)]
        match base.lower():
            case "optional":
                return self.annotation_value(inner[0], env)
            case "list" | "sequence" | "iterable":
                return Value(Kind.LIST, elem=self.annotation_value(inner[0], env))
            case "dict" | "mapping" if len(inner) == 2:
                return Value(Kind.DICT, elem=self.annotation_value(inner[1], env))
            case "tuple":
                if len(inner) == 2 and isinstance(inner[1], cst.Ellipsis):
                    return Value(Kind.TUPLE, elem=self.annotation_value(inner[0], env))
                return Value(Kind.TUPLE, items=tuple(self.annotation_value(item, env) for item in inner))
            case "union":
                return join_all(self.annotation_value(item, env) for item in inner)
        return UNKNOWN

    def instance_of(self, value: Value) -> Value:
        """The value of an instance of an annotated class."""
        if value.kind is Kind.CLASS:
            made = self.instance(value)
            return made.but(types=self.with_heirs(made.types)) if made.is_a(Kind.MODULE, Kind.OBJECT) else made
        if value.kind is Kind.PYTHON:
            return PYTHON
        if value.kind is not Kind.TORCH:
            return UNKNOWN
        name = str(value.const)
        if name in _TENSOR_NAMES or name == "torch.nn.Parameter":
            return TENSOR
        spec = self.tables.functions.get(name)
        if spec is not None and isinstance(spec.result, dict) and "type" in spec.result:
            return Value(Kind.TORCH_OBJECT, types=frozenset({str(spec.result["type"])}))
        if name == "torch.nn.Module":
            return self.any_module()
        if name in self.tables.layers or name in CONTAINERS:
            return Value(Kind.MODULE, types=frozenset({name}))
        if name.startswith("torch.optim.lr_scheduler."):
            return Value(Kind.SCHEDULER)
        if name.startswith("torch.optim."):
            return Value(Kind.OPTIMIZER)
        simple = {
            "torch.device": Kind.DEVICE,
            "torch.dtype": Kind.DTYPE,
            "torch.Size": Kind.SIZE,
            "torch.Generator": Kind.GENERATOR,
            "torch.utils.data.DataLoader": Kind.LOADER,
            "torch.utils.data.Dataset": Kind.DATASET,
        }
        kind = simple.get(name, Kind.UNKNOWN)
        return Value(kind, types=datasets.OTHER_LOADER if kind is Kind.LOADER else frozenset())

    def with_heirs(self, types: frozenset[str]) -> frozenset[str]:
        """Classes of modules and those that derive from them; what leaves `forward` to others has no instances of its own."""
        given = [self.program.class_by_key[key] for key in types]
        heirs = [item for item in self.program.class_by_key.values() if any(base in item.lineage for base in given)]
        found = frozenset(item.key for item in heirs if not _is_left_to_heirs(item))
        return types if len(heirs) == len(given) or not found else found

    def any_module(self) -> Value:
        """A module of unknown class: any class of the file that is not a part of another."""
        types = self.whole_modules()
        if self.current is not None:
            self.current.repeatable &= self.current.whole in (None, types)
            self.current.whole = types
        return Value(Kind.MODULE, types=types)

    def whole_modules(self) -> frozenset[str]:
        """The classes that no field of another has, as far as fields are known by now."""
        used: set[str] = set()
        for item in self.known_modules:
            for _, value in item.all_fields():
                if value.kind is Kind.MODULE or value.items or value.elem is not None:
                    used |= _module_types(value)
        return frozenset(item.key for item in self.known_modules if item.key not in used)

    # statements

    def block(self, body: Sequence[cst.CSTNode], env: Env) -> bool:
        """Evaluate statements; False if control never leaves them at the end."""
        ends = [self.statement(statement, env) for statement in body]  # all of them, also behind a `return`
        return all(ends)

    def suite(self, node: cst.BaseSuite | None, env: Env) -> bool:
        return self.block(node.body, env) if node is not None else True

    def statement(self, node: cst.CSTNode, env: Env) -> bool:
        if type(node) is cst.SimpleStatementLine:
            ends = self.block(node.body, env)
            after = self.values.after[node] = dict(env)
            if self.current is not None:
                self.current.after[node] = after
            return ends
        rule = _STATEMENTS.get(type(node))
        if rule is not None:
            return rule(self, node, env) is not False
        match node:
            case cst.FunctionDef():
                function = self.program.functions[node]
                made = Value(Kind.FUNCTION, types=frozenset({function.key}))
                for decorator in node.decorators:
                    self.registered(decorator.decorator, made, env)
                self.annotations(node, env)
                env[function.name] = made
            case cst.Raise():
                if node.exc is not None:
                    self.expression(node.exc, env)
                return False
            case cst.Break():
                self.breaks[-1].append(dict(env))
                return False
            case cst.Continue():
                self.continues[-1].append(dict(env))
                return False
            case cst.Import() | cst.ImportFrom():
                stars = chain(self.tables.functions, self.tables.layers)
                bound = import_bindings(node, stars, self.tables.own, self.program.package)
                env.update(bound)
                self.local_bindings(node, bound, env)
                env.update((name, value) for name, value in bound.items() if self.is_own(value, env[name]))
            case cst.Assert():
                self.expression(node.test, env)
                if node.msg is not None:
                    self.expression(node.msg, env)
            case cst.Del():
                self.expression(node.target, env)
            case cst.With():
                for item in node.items:
                    value = self.expression(item.item, env)
                    if item.asname is not None:
                        self.assign(item.asname.name, value if value.kind is not Kind.CONTEXT else NONE, env)
                if not any(is_suppressing(item.item, self.values) for item in node.items):
                    return self.suite(node.body, env)
                before = dict(env)
                _, tried = self.tried(node.body, env)
                _merge_into(env, [before, env, tried])
            case cst.Match():
                self.expression(node.subject, env)
                branches = []
                for case in node.cases:
                    branch = dict(env)
                    self.pattern(case.pattern, branch)
                    if case.guard is not None:
                        self.expression(case.guard, branch)
                    self.suite(case.body, branch)
                    branches.append(branch)
                _merge_into(env, [*branches, dict(env)])
            case _:
                pass
        return True

    def assignment(self, node: cst.Assign, env: Env) -> None:
        value = self.expression(node.value, env)
        for target in node.targets:
            is_moved = _is_moved(target.target, node.value)
            if is_moved and self.values(chain_start(node.value, _MOVING)).roots == {"*"}:
                continue  # taken for a tensor by what modules can do as well: what the field holds is not known yet
            if value.kind is not Kind.UNKNOWN or not (is_moved or self.is_counted(target.target, node.value)):
                self.assign(target.target, value, env)
            elif isinstance(target.target, cst.Attribute):
                self.expression(target.target.value, env)
            self.count_axes(target.target, node.value, env)

    def count_axes(self, target: cst.BaseExpression, value: cst.BaseExpression, env: Env) -> None:
        """`b, t, c = x.shape` says how many axes `x` has."""
        match value:
            case cst.Attribute(value=cst.Name(name), attr=cst.Name("shape")):
                pass
            case cst.Call(func=cst.Attribute(value=cst.Name(name), attr=cst.Name("size")), args=[]):
                pass
            case _:
                return
        known = env.get(name)
        if known is None or known.kind is not Kind.TENSOR or known.rank is not None or name in bound_in(target):
            return
        if isinstance(target, (cst.Tuple, cst.List)) and not any(
            isinstance(item, cst.StarredElement) for item in target.elements
        ):
            env[name] = known.but(rank=len(target.elements))

    def is_counted(self, target: cst.BaseExpression, value: cst.BaseExpression) -> bool:
        """Whether a field is counted on, and so keeps the kind that it is given elsewhere: `self.at = (self.at + 1) % self.size`."""
        if not isinstance(target, cst.Attribute) or self.owner is None or not self.counts(value, str(dotted(target))):
            return False
        name = target.attr.value
        if not _mentions_field(value, name):
            return False
        others = (item for item in descendants(self.owner.node) if isinstance(item, cst.Assign))
        return any(
            dotted(other.target) == dotted(target) and not _mentions_field(item.value, name)
            for item in others
            for other in item.targets
        )

    def counts(self, node: cst.BaseExpression, place: str) -> bool:
        """Whether an expression is made of whole numbers and what is at a place, by operations that keep its kind."""
        if dotted(node) == place:
            return self.values(node).kind is Kind.UNKNOWN
        match node:
            case cst.BinaryOperation(left=left, operator=operator, right=right) if isinstance(operator, _COUNTING):
                return self.counts(left, place) and self.counts(right, place)
            case cst.Call(func=cst.Name("min" | "max"), args=[_, _]):
                return all(not item.star and self.counts(item.value, place) for item in node.args)
        return self.values(node).kind in (Kind.INT, Kind.BOOL)

    def returning(self, node: cst.Return, env: Env) -> bool:
        value = self.expression(node.value, env) if node.value else NONE
        if self.function is not None and gives_kept(self.function, node):
            value = Value(among=frozenset({SOME_CLASS}))
        if not self.repeats(node.value, value):
            (self.returned_errors if self.makes_error(node.value) else self.return_values).append(value)
        return False

    def line(self, node: cst.Expr, env: Env) -> None:
        self.expression(node.value, env)
        self.mark_leaf(node.value, env)

    def makes_error(self, node: cst.BaseExpression | None) -> bool:
        """Whether a function gives back an error, which many mean to raise: `return NotImplementedError(policy)`."""
        match node:
            case cst.Call(func=cst.Name(name) as made):
                return name in _ERRORS and self.program.definitions.scopes.variable(made) is None
        return False

    def repeats(self, node: cst.BaseExpression | None, value: Value) -> bool:
        """Whether a result is what the function itself returns, or made of that while nothing is known of it yet."""
        if self.function is None or node is None or not (value.kind is Kind.UNKNOWN or isinstance(node, cst.Call)):
            return False
        nodes = descendants(node) if value.kind is Kind.UNKNOWN else (node,)
        own = (self.function,)
        return any(isinstance(item, cst.Call) and self.values.callees.get(item) == own for item in nodes)

    def pattern(self, node: cst.CSTNode, env: Env) -> None:
        """The expressions of a `case` are evaluated; the names that it binds can be anything."""
        for item in descendants(node):
            if isinstance(item, (cst.MatchAs, cst.MatchStar)) and item.name is not None:
                env[item.name.value] = UNKNOWN
            elif isinstance(item, cst.MatchMapping) and item.rest is not None:
                env[item.rest.value] = UNKNOWN
            elif isinstance(item, (cst.MatchValue, cst.MatchSingleton)):
                self.expression(item.value, env)
            elif isinstance(item, cst.MatchClass):
                self.expression(item.cls, env)

    def is_own(self, value: Value, local: Value) -> bool:
        """Whether what an import binds has rows of the project, which then count more than the file that is imported."""
        if not self.tables.own or not isinstance(value.const, str) or not self.tables.has_own(value.const):
            return False
        return value.kind is Kind.TORCH or not str(local.const).startswith(LOCAL)

    def local_bindings(self, node: cst.Import | cst.ImportFrom, bound: Env, env: Env) -> None:
        """What an import of another file of the program binds."""
        asked = self.program.asked
        if isinstance(node, cst.Import):
            for alias in node.names:
                name = dotted(alias.name) or ""
                name = name if alias.asname is not None else name.split(".")[0]
                if name in asked:
                    target = (dotted(alias.asname.name) if alias.asname is not None else None) or name
                    env[target] = _local_module(asked[name], bound.get(target, UNKNOWN).const)
            return
        (base,) = imported_module(node)
        module = self.program.module_asked(base)
        if isinstance(node.names, cst.ImportStar):
            own = _taken_from(module, self.program.prefix) if module is not None else ()
            found = public_names(module) if module is not None else {}
            env.update({name: value for name, value in found.items() if name not in own or name not in env})
            return
        for alias in node.names:
            name = dotted(alias.name) or ""
            target = (dotted(alias.asname.name) if alias.asname else None) or name
            if module is not None and name in module.module_env:
                env[target] = module.module_env[name]
            elif (inner := asked.get(joined(base, name))) is not None:
                env[target] = _local_module(inner, bound.get(target, UNKNOWN).const)
            elif base in asked:
                env[target] = UNKNOWN

    def found_files(self, node: cst.Call, arguments: Sequence[Value]) -> Value | None:
        """`importlib.import_module(name)` is one of the files of the program that have all that is asked of it."""
        text = arguments[0].const if arguments else NOTHING
        if isinstance(text, str):
            place = self.program.asked.get(text)
            return None if place is None else _local_module(place, text)
        pattern = text_pattern(node.args[0].value, arguments[0]) or ".*"
        names = names_asked(self.program, node)
        places = {
            place
            for name, place in self.program.asked.items()
            if re.fullmatch(pattern, name)
            and (module := self.program.modules.get(place)) is not None
            and names <= module.module_env.keys()
        }
        if not places or not names:
            return None
        return Value(Kind.PYTHON, const=Files(frozenset(str(_local_module(place, NOTHING).const) for place in places)))

    def asked_of_files(self, files: Set[str], name: str) -> Value:
        """What a name of one of several files stands for: of those without it torch's program cannot ask it."""
        found = [self.module_attribute(file, name) for file in sorted(files)]
        return join_all([value for value in found if value.kind is not Kind.UNKNOWN] or found)

    def module_attribute(self, file: str, name: str) -> Value:
        """What a name of another file of the program stands for, or of a package or folder of it."""
        place, _, known = file.removeprefix(LOCAL).partition("\n")
        if f"{known}.{name}" in self.tables.own:
            return self.torch_attribute(known, name)
        module = self.program.modules.get(place)
        if module is not None and name in module.module_env:
            return module.module_env[name]
        inner = self.program.part_of(place, name)
        return UNKNOWN if inner is None else _local_module(inner, f"{known}.{name}" if known else NOTHING)

    def annotations(self, node: cst.FunctionDef, env: Env) -> None:
        """Evaluate annotations and defaults, so that torch names in them are seen."""
        params = node.params
        every = [*params.posonly_params, *params.params, *params.kwonly_params]
        if isinstance(params.star_arg, cst.Param):
            every.append(params.star_arg)
        if params.star_kwarg:
            every.append(params.star_kwarg)
        for param in every:
            if param.annotation is not None:
                self.expression(param.annotation.annotation, env)
            if param.default is not None:
                self.expression(param.default, env)
        if node.returns is not None:
            self.expression(node.returns.annotation, env)

    def class_statement(self, node: cst.ClassDef, env: Env) -> None:
        item = self.program.classes[node]
        self.write(_Inference.note_bases, item, [self.expression(base.value, env) for base in node.bases])
        for decorator in node.decorators:
            made = Value(Kind.CLASS, types=frozenset({item.key}))
            self.registered(decorator.decorator, made, env)
        inner = dict(env)
        owner, self.owner = self.owner, item
        self.block(node.body.body, inner)
        self.owner = owner
        for name, value in inner.items():
            if env.get(name) is not value and value.kind is not Kind.FUNCTION:
                self.set_field(item, name, value)
        env[item.name] = Value(Kind.CLASS, types=frozenset({item.key}))

    def registered(self, node: cst.BaseExpression, made: Value, env: Env) -> None:
        """A decorator that puts what it is given into a table, and gives it back, is called with it."""
        decorator = self.expression(node, env)
        for key in sorted(decorator.called):
            function = self.program.by_key.get(key)
            name = registered_parameter(function) if function is not None else None
            if function is not None and name is not None:
                self.pass_value(function, name, made)
                self.keep_in_object(node, [made])

    def keep_in_object(self, function: cst.BaseExpression, given: Sequence[Value]) -> None:
        """Note the classes and functions that an object is given by `MODELS.register(Net)` and `@MODELS.register()`."""
        node = function.func if isinstance(function, cst.Call) else function
        holder = self.values(node.value if isinstance(node, (cst.Attribute, cst.Subscript)) else node)
        for value in given if holder.kind is Kind.OBJECT else ():
            for site in sorted(holder.sites) if value.is_a(Kind.CLASS, Kind.FUNCTION) and value.types else ():
                self.write(_Inference.note_stored, f"{MADE}{site}", value.but(roots=frozenset()))

    def among_kept(self, holder: Value | None, result: Value) -> Value:
        """Of the classes and functions that a method of an object gives, or whose instances, without those that only other
        objects of its class are given: `MODELS.get(name)` gives none of those in `LOSSES`.
        """
        if holder is None or holder.kind is not Kind.OBJECT or holder.elem is None:
            return result
        every = (value for file in self.program.files for value in file.module_env.values())
        alike = (value for value in every if value.kind is Kind.OBJECT and value.types & holder.types)
        others = [value.elem.types for value in alike if value.elem is not None and not value.sites & holder.sites]
        types = result.types - (frozenset[str]().union(*others) - holder.elem.types)
        if not types or types == result.types or not result.is_a(Kind.CLASS, Kind.FUNCTION, Kind.MODULE, Kind.OBJECT):
            return result
        if result.is_a(Kind.MODULE, Kind.OBJECT):
            return self.instance(Value(Kind.CLASS, types=types)).but(sites=result.sites, roots=result.roots)
        is_class = types <= self.program.class_by_key.keys()
        return result.but(kind=Kind.CLASS if is_class else Kind.FUNCTION, types=types)

    def annotated(self, node: cst.AnnAssign, env: Env) -> None:
        self.expression(node.annotation.annotation, env)
        value = self.annotation_value(node.annotation.annotation, env if self.function is None else None)
        self.declare_field(node.target, value)
        if node.value is not None:
            given = self.expression(node.value, env)
            if given.kind is Kind.NONE and value.kind is Kind.TENSOR:
                value = value.but(types=frozenset({_DECLARED}))
            value = given if given.kind not in (Kind.UNKNOWN, Kind.NONE) or value.kind is Kind.UNKNOWN else value
        elif self.owner is None or not isinstance(node.target, cst.Name):
            return
        self.assign(node.target, value.but(const=NOTHING), env)

    def declare_field(self, target: cst.BaseExpression, value: Value) -> None:
        """`self.step: int = 0`: what is unknown and given to the field elsewhere is such a number, or text."""
        if not (value.is_number or value.kind is Kind.STR):
            return
        match target:
            case cst.Name(name) if self.owner is not None and self.function is None:
                self.write(_declare_field, self.owner, name, value)
            case cst.Attribute(value=cst.Name(own), attr=cst.Name(name)) if self.function is not None:
                if own == self.function.self_name and self.function.owner is not None:
                    self.write(_declare_field, self.function.owner, name, value)

    def augmented(self, node: cst.AugAssign, env: Env) -> None:
        left = self.expression(node.target, env)
        if self.is_part_of_shown_tensor(node.target):
            self.refine(node.target.value, TENSOR, env)  # type: ignore[attr-defined]
            left = self.expression(node.target, env)
        right = self.expression(node.value, env)
        if isinstance(node.target, cst.Subscript) and right.is_number and self.has_tensors_only:
            # lists take no numbers where a slice stands
            if any(isinstance(element.slice, cst.Slice) for element in node.target.slice):
                self.refine(node.target.value, TENSOR, env)
                left = self.expression(node.target, env)
        if left.kind is Kind.UNKNOWN and right.kind is Kind.TENSOR:
            left = self.changed_by_tensor(node.target, left, env)
        if isinstance(node.target, cst.Name):
            left, _ = self.added(node.operator, (node.target, left), (node.value, right), env)
        result = self.arithmetic(left, right)
        if left.kind is Kind.TENSOR:
            result = left.but(const=NOTHING)
        elif left.kind is Kind.UNKNOWN and result.kind is Kind.UNKNOWN:
            result = result.but(roots=left.roots)  # a tensor would stay the same one
        elif left.is_number and result.is_a(Kind.UNKNOWN, Kind.PYTHON):
            result = self.new_if_tensor(node, result, right.roots)
        elif left.kind is Kind.LIST:
            grown = left.but(items=None, elem=left.element() if left.items else left.elem)
            if right.kind is Kind.UNKNOWN and isinstance(node.operator, cst.AddAssign):
                element = self.element_of(right)  # a list stays one, whatever it takes the elements of
                result = grown.but(elem=join(grown.elem, element) if grown.elem is not None else element)
            else:
                result = join(grown, right)
            self.store_into(left, self.element_of(right))
        elif left.kind is Kind.DICT and right.kind is Kind.DICT:
            self.store_into(left, right.elem or UNKNOWN)
        # Layers do not grow, which a field may hold where another branch has filled it.
        grows = left.types - self.tables.layers.keys() == {"torch.nn.ModuleList"}
        if grows and isinstance(node.operator, cst.AddAssign):
            if left.const == NEW_FIRST and not self.begins_with(node.value):
                left = left.but(const=NOTHING)
            self.grow(node.target, left, [right], "extend", env)
        elif isinstance(node.target, cst.Attribute) and left.kind is result.kind is Kind.UNKNOWN:
            return  # a field of which something may be found later: it stays what it was
        elif isinstance(node.target, (cst.Name, cst.Attribute)):
            self.assign(node.target, result, env)

    def is_part_of_shown_tensor(self, target: cst.BaseExpression) -> bool:
        """`x[:, 5:] *= y`, where `x` is asked somewhere for what tensors alone have, and holds the same there, or comes out of a
        loader.
        """
        match target:
            case cst.Subscript(value=cst.Name() as base) if self.values(base).kind is Kind.UNKNOWN:
                if self.values(base).roots and self.values(base).roots <= self.batches:  # no list takes a mask
                    return len(target.slice) > 1 or _is_mask(target.slice[0].slice)
                is_of_array = any(isinstance(element.slice, cst.Slice) for element in target.slice)
                return is_of_array and self.is_shown_elsewhere(base)
        return False

    def is_shown_elsewhere(self, name: cst.Name) -> bool:
        """Whether a variable is asked for what tensors alone have where it holds the same: `x[:, 5:].max(1, keepdim=True)`."""
        if self.shown is None:
            self.shown = {}
            for item in self.program.index.attributes:
                base, call = item.value, self.call_of(item)
                while isinstance(base, cst.Subscript):
                    base = base.value
                if isinstance(base, cst.Name) and evidence.is_strong(self.tables, item.attr.value, call):
                    key = (self.program.index.function_of(item), base.value)
                    self.shown.setdefault(key, []).append(base)
        held = set(self.program.definitions.of(name))
        places = self.shown.get((self.program.index.function_of(name), name.value), ())
        return bool(held) and any(set(self.program.definitions.of(place)) == held for place in places)

    def changed_by_tensor(self, target: cst.BaseExpression, value: Value, env: Env) -> Value:
        """What a tensor is added to is a tensor: a name, or an argument that is kept in a container."""
        if isinstance(target, cst.Name):
            return self.refine(target, TENSOR, env)
        self.take_evidence(value.roots, TENSOR)
        return value

    def take_evidence(self, roots: frozenset[str], value: Value) -> None:
        """Note how a parameter is used: by its name, by another for the same thing, or by what is computed from it and numbers."""
        followed: set[str] = set()
        while value.kind is Kind.TENSOR and (computed := self.computed(roots) - followed):
            followed |= computed
            roots, value = (roots - computed).union(*(self.computed_from[root] for root in computed)), TENSOR
        roots = roots - followed - {"*"}
        if len(roots) != 1:
            return
        kind, _, name = next(iter(roots)).partition(":")
        function = self.function if kind == "param" else None
        while function is not None and name not in function.parameter_names:
            function = function.outer
        if function is not None:
            function.evidence.setdefault(name, value.but(roots=frozenset()))

    def assign(self, target: cst.CSTNode, value: Value, env: Env) -> None:
        match target:
            case cst.Name():
                env[target.value] = value
                self.note(target, value)
                if self.function is None:
                    self.write(_Inference.note_bound, target.value, value)
                else:
                    _join_into(self.every.setdefault(self.function, {}), target.value, value)
                for found in self.trials:
                    _join_into(found, target.value, value)
                if (shared := self.shared_key(target.value, is_bound=True)) is not None:
                    self.write(_Inference.note_shared, shared, value)
            case cst.Tuple() | cst.List():
                self.unpack(target, value, env)
            case cst.StarredElement():
                self.assign(target.value, Value(Kind.LIST, elem=value.element()), env)
            case cst.Attribute():
                base = self.expression(target.value, env)
                self.note(target, value)
                if target.attr.value == "requires_grad" and value.const is True:
                    self.make_leaf(target.value, env)
                kept = self.made_by_torch(target, value)
                if "buffer" in kept.types and any(root.startswith("field:") for root in kept.roots):
                    kept = kept.but(types=kept.types - {"buffer"})  # a second name of a buffer is a plain tensor
                for item in self.classes_of(base) if not self.is_awaited(self.given_to(target)) else ():
                    self.set_field(item, target.attr.value, kept, target)
                if LISTED_MODULE in base.types or base == _OF_ANY_CLASS:
                    self.set_open_field(target.attr.value, kept)
                for key in sorted(base.types) if base.kind is Kind.CLASS else ():
                    self.set_field(self.program.class_by_key[key], target.attr.value, kept)
            case cst.Subscript():
                self.store(target, value, env)

    def set_open_field(self, name: str, value: Value) -> None:
        """A field of any module is set: all classes that have one of this name may have been meant."""
        for item in self.program.class_by_key.values():
            if item.is_module and self.field_of(item, name) is not None and self.makes_field(item, name):
                self.set_field(item, name, value)

    def makes_field(self, item: Class, name: str) -> bool:
        return name in item.fields or name in item.fields_before

    def given_to(self, target: cst.CSTNode) -> cst.CSTNode | None:
        """The expression that a statement gives to a target and no other."""
        assign = self.program.index.parents.get(self.program.index.parents.get(target, target))
        return assign.value if isinstance(assign, cst.Assign) else None

    def is_awaited(self, node: cst.CSTNode | None) -> bool:
        """Whether an expression is a field that has no value so far, and that methods set which are evaluated later."""
        if not isinstance(node, cst.Attribute):
            return False
        name, classes = node.attr.value, self.classes_of(self.values(node.value))
        return bool(classes) and all(self.field_of(item, name) is None and item.sets(name) for item in classes)

    def made_by_torch(self, target: cst.Attribute, value: Value) -> Value:
        """A field that gets what some function of torch makes, of which it is not known which it is, holds a tensor."""
        assign = self.program.index.parents.get(self.program.index.parents[target])
        made = assign.value if isinstance(assign, cst.Assign) else None
        if value.kind is not Kind.UNKNOWN or not isinstance(made, cst.Call):
            return value
        function = self.values(made.func)
        is_open = function.kind is Kind.TORCH and function.const is NOTHING and not function.types
        return TENSOR if is_open else value

    def mark_leaf(self, node: cst.BaseExpression, env: Env) -> None:
        """`x.requires_grad_()` as a statement."""
        match node:
            case cst.Call(func=cst.Attribute(value=cst.Name() as name, attr=cst.Name("requires_grad_")), args=args):
                if not args or self.values(args[0].value).const is True:
                    self.make_leaf(name, env)

    def make_leaf(self, node: cst.BaseExpression, env: Env) -> None:
        known = env.get(node.value) if isinstance(node, cst.Name) else None
        if not isinstance(node, cst.Name) or known is None:
            return
        if known.kind is Kind.UNKNOWN and "grad" in self.asked_of(node) and not self.is_contradicted(node):
            known = self.refine(node, TENSOR, env)  # nothing else has both
        if known.kind is Kind.TENSOR:
            env[node.value] = known.but(types=known.types | {"leaf"})

    def unpack(self, target: cst.Tuple | cst.List, value: Value, env: Env) -> None:
        elements = [element.value for element in target.elements]
        if value.items is not None and len(value.items) == len(elements):
            parts = list(value.items)
        else:
            parts = [self.element_of(value)] * len(elements)
            made = self.made_in_rounds(target)
            if made is not None and parts[0].kind is Kind.MODULE:
                parts = [part.but(sites=frozenset({self.number((made, place))})) for place, part in enumerate(parts)]
        for element, node, part in zip(target.elements, elements, parts, strict=True):
            if isinstance(element, cst.StarredElement):
                self.assign(node, Value(Kind.LIST, elem=self.element_of(value)), env)
            else:
                self.assign(node, part, env)

    def made_in_rounds(self, target: cst.Tuple | cst.List) -> cst.Call | None:
        """`Block()` of `self.a, self.b = [Block() for _ in range(2)]`: each target is given another one."""
        parents = self.program.index.parents
        assign = parents.get(parents.get(target))  # type: ignore[arg-type]
        match assign:
            case cst.Assign(value=cst.ListComp(elt=cst.Call() as made) | cst.GeneratorExp(elt=cst.Call() as made)):
                is_new = self.values(made.func).kind in (Kind.CLASS, Kind.TORCH)
                return made if is_new and self.values(made).sites == {self.number(made)} else None
        return None

    def store(self, target: cst.Subscript, value: Value, env: Env) -> None:
        self.expression(target, env)
        if self.is_part_of_shown_tensor(target):
            self.refine(target.value, TENSOR, env)
            self.expression(target, env)
        container = self.values(target.value)
        if container.kind is Kind.MODULE and value.kind is Kind.MODULE:
            self.exchange(target, container, value, env)
        if container.kind is Kind.OBJECT and value.is_a(Kind.CLASS, Kind.FUNCTION):
            self.give_by_key(target, container, value)
        if container.kind not in (Kind.LIST, Kind.DICT):
            return
        if container.kind is Kind.LIST and any(isinstance(item.slice, cst.Slice) for item in target.slice):
            value = self.element_of(value)
        self.store_into(container, value)
        is_field = isinstance(target.value, cst.Attribute)
        if isinstance(target.value, cst.Name) or (is_field and not _is_followed(container)):
            self.assign(target.value, container.but(items=None, elem=_grown(container, value)), env)

    def give_by_key(self, target: cst.Subscript, holder: Value, value: Value) -> None:
        """`MODELS["net"] = Net`, where `MODELS` is an object."""
        self.keep_in_object(target, [value])
        for item in self.classes_of(holder):
            method = item.method("__setitem__")
            if method is not None and len(method.parameter_names) > 2:
                self.pass_value(method, method.parameter_names[2], value)

    def exchange(self, target: cst.Subscript, container: Value, value: Value, env: Env) -> None:
        """`net[0] = LoRA(net[0])`: what a container of modules holds from now on."""
        if not isinstance(target.value, (cst.Name, cst.Attribute)):
            return
        if container.items is None:
            if isinstance(target.value, cst.Attribute):
                for item in self.classes_of(self.values(target.value.value)):
                    container = self.container_so_far(item, target.value.attr.value, container)
            new = container.but(items=None, elem=_grown(container, value))
        else:
            index = target.slice[0].slice
            const = self.values(index.value).const if isinstance(index, cst.Index) else NOTHING
            if isinstance(container.const, tuple):
                self.assign(target.value, _with_entry(container, const, value), env)
                return
            is_known = isinstance(const, int) and -len(container.items) <= const < len(container.items)
            items = list(container.items)
            if is_known:
                items[const] = value  # type: ignore[call-overload]
            else:
                items = [join(item, value) for item in items]
            new = container.but(items=tuple(items))
        self.assign(target.value, new, env)

    def overrides(self, node: cst.CSTNode, other: cst.CSTNode | None) -> bool:
        """Whether a field gets another value wherever it got one before: in the block of that statement, or in one around it."""
        index, program = self.program.index, self.program
        if other is None or not {node, other} <= index.parents.keys():
            return False
        is_same = program.function_around(node) is program.function_around(other)
        return is_same and index.parents[index.statement_of(node)] in index.ancestors(other)

    def set_any_part(self, node: cst.Call, holder: Value, name: Value, value: Value) -> None:
        """`setattr(model, name, layer)`: each part of the module, of each where nothing says which, may be that layer, if it has
        such a name.
        """
        if holder.kind is not Kind.MODULE or value.kind is not Kind.MODULE or name.const is not NOTHING:
            return
        pattern, by_key = text_pattern(node.args[1].value, name), self.program.class_by_key
        held = [by_key[key] for key in holder.types if key in by_key]
        is_any = not holder.types or len(held) < len(holder.types)
        for item in by_key.values():
            if not item.is_module or not (is_any or any(one in item.lineage or item in one.lineage for one in held)):
                continue
            for field_name, known in item.all_fields():
                may_be_set = pattern is None or re.fullmatch(pattern, field_name)
                if may_be_set and known.kind is Kind.MODULE and known.types and not value.types <= known.types:
                    self.set_field(item, field_name, _without_sites(value))

    def set_field(self, item: Class, name: str, value: Value, node: cst.CSTNode | None = None) -> None:
        self.ask(_Inference.field_so_far, item, name)
        self.write(_set_field, item, name, value, node)

    def branch(self, node: cst.If, env: Env) -> bool:
        self.expression(node.test, env)
        positive, negative = dict(env), dict(env)
        self.narrow(node.test, positive, True)
        self.narrow(node.test, negative, False)
        ruled_out = self.rule_out(node.test, negative)
        ends_positive = self.suite(node.body, positive)
        ends_negative = True
        if isinstance(node.orelse, cst.If):
            ends_negative = self.branch(node.orelse, negative)
        elif node.orelse is not None:
            ends_negative = self.suite(node.orelse.body, negative)
        if ruled_out is not None and negative.get(ruled_out) == _no_tensor(env[ruled_out]):
            negative[ruled_out] = env[ruled_out]
        merged = [branch for branch, ends in ((positive, ends_positive), (negative, ends_negative)) if ends]
        _merge_into(env, merged or [positive, negative])
        return ends_positive or ends_negative

    def narrow(self, test: cst.BaseExpression, env: Env, truth: bool) -> None:
        """Learn from `isinstance(x, nn.Linear)` tests."""
        if truth and isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And):
            self.narrow(test.left, env, truth)
            self.narrow(test.right, env, truth)
        if truth and isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.Or):
            self.narrow_to_one(test, env)
        if truth and (name := _found_to_be_class(test)) is not None:
            known = env.get(name, UNKNOWN)
            env[name] = known.but(among=known.among | {SOME_CLASS}) if known.kind is Kind.UNKNOWN else known
        if truth and (named := named_test(test, self.program.definitions)) is not None:
            self.narrow_to_named(named[0].value, named[1], env)
        subject, classes = self.class_test(test) if truth else (None, None)
        if subject is None or classes is None:
            return
        nodes = elements_of(classes)
        value = join_all(self.instance_of(self.values(item)) for item in nodes)
        if value.kind is Kind.MODULE or (value.kind is not Kind.UNKNOWN and isinstance(test, cst.Call)):
            env[subject.value] = self.narrowed(subject.value, env.get(subject.value, UNKNOWN), value)

    def narrow_to_named(self, name: str, passes: Callable[[str], bool], env: Env) -> None:
        """Learn that one of the modules of a model is of a class of the program, where only names of those pass a test."""
        old = env.get(name, UNKNOWN)
        if LISTED_MODULE not in old.types or any(passes(layer.rpartition(".")[2]) for layer in self.tables.layers):
            return
        found = [item for item in self.program.class_by_key.values() if item.is_module and passes(item.name)]
        if found:
            value = Value(Kind.MODULE, types=frozenset(item.key for item in found))
            env[name] = self.narrowed(name, old, value)

    def class_test(self, test: cst.BaseExpression) -> tuple[cst.Name | None, cst.BaseExpression | None]:
        """The variable whose class a test asks for, and the classes: `isinstance(m, C)`, `type(m) is C`, `t in (C, D)` of `t = type(m)`."""
        match test:
            case cst.Call(
                func=cst.Name("isinstance"), args=[cst.Arg(value=cst.Name() as subject), cst.Arg(value=classes)]
            ):
                return subject, classes
            case cst.Comparison(
                left=cst.Call() | cst.Name() as left,
                comparisons=[cst.ComparisonTarget(operator=cst.Is() | cst.Equal() | cst.In(), comparator=classes)],
            ) if not (isinstance(classes, cst.Name) and classes.value == "None"):
                if isinstance(left, cst.Name) and self.values(left).kind in (Kind.UNKNOWN, Kind.CLASS, Kind.PYTHON):
                    made = self.program.definitions.bound_once(left)
                    left = made.value if made is not None and isinstance(made.value, cst.Call) else left
                match left:
                    case cst.Call(func=cst.Name("type"), args=[cst.Arg(value=cst.Name() as subject)]):
                        return subject, classes
        return None, None

    def narrow_to_one(self, test: cst.BooleanOperation, env: Env) -> None:
        """Learn from `isinstance(x, A) or isinstance(x, B)` what both say of a variable."""
        left, right = dict(env), dict(env)
        self.narrow(test.left, left, True)
        self.narrow(test.right, right, True)
        for name, value in left.items():
            if value is not env.get(name) and right[name] is not env.get(name):
                joined = join(value, right[name])
                env[name] = joined if joined.kind is not Kind.UNKNOWN else env.get(name, UNKNOWN)

    def otherwise(self, test: cst.BaseExpression, env: Env) -> Env:
        """What holds where a variable is not the class that `kind is Net` asks for."""
        match test:
            case cst.Comparison(
                left=cst.Name(name),
                comparisons=[cst.ComparisonTarget(operator=cst.Is(), comparator=cst.Name() as tested)],
            ) if classes_beside_layers(env.get(name, UNKNOWN)) is not None:
                return {**env, name: without_class(env[name], self.values(tested))}
        return env

    def rule_out(self, test: cst.BaseExpression, env: Env) -> str | None:
        """Learn of a parameter, taken for a tensor by its use elsewhere, that it is none where a test has failed."""
        match test:
            case cst.Call(func=cst.Name("isinstance"), args=[cst.Arg(value=cst.Name(name)), cst.Arg(value=kind)]):
                is_told = self.values.torch_name(kind) == "torch.Tensor"
            case cst.Call(func=function, args=[cst.Arg(value=cst.Name(name))]):
                is_told = self.values.torch_name(function) == "torch.is_tensor"
            case _:
                return None
        old = env.get(name, UNKNOWN)
        if not is_told or old.kind is not Kind.TENSOR or old.roots != {f"param:{name}"}:
            return None
        env[name] = _no_tensor(old)
        return name

    def narrowed(self, name: str, old: Value, value: Value) -> Value:
        """What a variable holds of which a test has told the kind: it is still what it was."""
        if value.kind is Kind.MODULE and old.kind is Kind.MODULE:
            return value.but(sites=old.sites)
        if value.kind is old.kind and value.is_a(Kind.OPTIMIZER, Kind.SCHEDULER):
            return old
        if value.kind is not Kind.TENSOR:
            return value
        if old.kind is Kind.TENSOR:
            return old
        is_given = self.function is not None and name in self.function.parameter_names
        return value.but(roots=old.roots or frozenset({f"param:{name}" if is_given else "*"}))

    def loop(self, node: cst.For, env: Env) -> None:
        iterable = self.expression(node.iter, env)
        left, ended = list[Env](), list[Env]()
        for _ in range(3):
            before = dict(env)
            inner = dict(env)
            element = self.element_of(iterable)
            if _only_hands_on(node) and iterable.items and not changes_first(iterable.items):
                element = element.but(among=element.among - {INPLACE})  # it changes what another layer has made
            self.assign(node.target, element, inner)
            self.tell_batches(node, inner)
            left, ended = self.round(node.body, env, inner)
            if env == before:
                break
            iterable = self.expression(node.iter, env)
        if ended and self.has_elements(node.iter):
            _merge_into(env, ended)
        self.hand_on(node, iterable, env)
        self.fill_dict(node, env)
        self.behind_loop(node.orelse, env, left)

    def fill_dict(self, node: cst.For, env: Env) -> None:
        """`for key in batch.keys(): batch[key] = torch.tensor(batch[key])`: all that a dict holds is such a value."""
        name, stored = _given_to_each_key(node)
        known = env.get(name or "", UNKNOWN)
        value = join_all([self.values(item) for item in stored])
        if name is not None and known.is_a(Kind.UNKNOWN, Kind.DICT) and value.kind is not Kind.UNKNOWN:
            env[name] = Value(Kind.DICT, elem=value, among=known.among)

    def tell_batches(self, node: cst.For, env: Env) -> None:
        """What a loader puts together has storage of its own, whatever its samples are."""
        source = node.iter
        while isinstance(source, cst.Call) and source.args and not (source.args[0].keyword or source.args[0].star):
            if dotted(source.func) != "enumerate" and self.values(source.func).const not in _SHOWING_PROGRESS:
                break
            source = source.args[0].value
        if self.values(source).kind is not Kind.LOADER or self.values(source).types != datasets.BATCHES:
            return
        for name in descendants(node.target, cst.Name) if not isinstance(node.target, cst.Name) else (node.target,):
            assert isinstance(name, cst.Name)
            value = env.get(name.value, UNKNOWN)
            if value.kind is Kind.UNKNOWN and value.roots <= {"*"}:
                env[name.value] = value.but(roots=frozenset({f"new:{self.number(name)}"}))
                self.batches |= env[name.value].roots
                self.note(name, env[name.value])

    def hand_on(self, loop: cst.For, iterable: Value, env: Env) -> None:
        """Where each layer of a list is given what the one before has made, a layer that changes its argument in place changes
        that, and not what the first one is given, if this one makes a tensor.
        """
        call = _handing_on(loop)
        if call is None:
            return
        layers = iterable
        if isinstance(call.func, cst.Subscript):
            layers = self.values(call.func.value).but(items=self.items_in_rounds(call.func) or None)
            if not _starts_with_first(loop.iter):
                layers = layers.but(const=NOTHING)
        elif (inner := _layers_gone_through(loop.iter)) is not loop.iter:
            layers = self.values(inner)
        behind = next((item for item in layers.items or () if not item.types & PASSING_LAYERS), None)
        is_new = layers.const in (NEW_FIRST, NAMED_NEW_FIRST) if behind is None else self.is_new_layer(behind)
        given = cst.ensure_type(call.args[0].value, cst.Name)
        value = self.values(given)
        if not is_new or value.kind is not Kind.TENSOR:
            return
        roots = self.fresh(call, value).roots
        self.note(given, value.but(roots=roots))
        if self.has_elements(loop.iter):
            env[given.value] = env[given.value].but(roots=roots)

    def has_elements(self, node: cst.BaseExpression) -> bool:
        """Whether what a loop goes through is known to have elements."""
        match node:
            case cst.Call(func=cst.Name("enumerate" | "list" | "reversed" | "tuple"), args=[cst.Arg(value=inner), *_]):
                return self.has_elements(inner)
            case cst.Call(func=cst.Name("zip"), args=args):
                return bool(args) and all(not item.star and self.has_elements(item.value) for item in args)
            case cst.Call(func=cst.Name("range"), args=[cst.Arg(value=end, star="")]):
                count = self.values(end).const
                return isinstance(count, int) and count > 0
        value = self.values(node)
        return value.is_a(Kind.TUPLE, Kind.LIST, Kind.MODULE) and bool(value.items)

    def while_loop(self, node: cst.While, env: Env) -> None:
        left: list[Env] = []
        for _ in range(3):
            before = dict(env)
            self.expression(node.test, env)
            left, _ = self.round(node.body, env, dict(env))
            if env == before:
                break
        self.behind_loop(node.orelse, env, left)

    def round(self, body: cst.BaseSuite, env: Env, inner: Env) -> tuple[list[Env], list[Env]]:
        """One round of a loop, whose end is joined to `env`; returns what holds where it is left, and where it ends."""
        self.breaks.append([])
        self.continues.append([])
        ends = self.suite(body, inner)
        ended = [*([inner] if ends else []), *self.continues.pop()]
        _merge_into(env, [env, inner, *ended])
        return self.breaks.pop(), ended

    def behind_loop(self, orelse: cst.Else | None, env: Env, left: Sequence[Env]) -> None:
        """`else` comes where a loop is not left, and what follows in either case."""
        ends = orelse is None or self.suite(orelse.body, env)
        _merge_into(env, [*([env] if ends or not left else []), *left])

    def tried(self, body: cst.BaseSuite, env: Env) -> tuple[bool, Env]:
        """Evaluate statements that may stop anywhere: whether control leaves them, and all that they bind names to."""
        self.trials.append({})
        ends = self.suite(body, env)
        return ends, self.trials.pop()

    def try_statement(self, node: cst.Try | cst.TryStar, env: Env) -> bool:
        before = dict(env)
        ends, tried = self.tried(node.body, env)
        partial = dict(before)
        _merge_into(partial, [before, env, tried])
        imported = _torch_imports(node.body, env)
        if ends and node.orelse is not None:
            ends = self.suite(node.orelse.body, env)
        branches = [dict(env)] if ends else []
        for handler in node.handlers:
            branch = dict(partial)
            if handler.type is not None:
                self.expression(handler.type, branch)
            if handler.name is not None:
                self.assign(handler.name.name, PYTHON, branch)
            if self.suite(handler.body, branch):
                branches.append(branch)
        _merge_into(env, branches or [env])
        env.update(imported)
        if node.finalbody is not None:
            self.suite(node.finalbody.body, env)
        return bool(branches)

    # expressions

    def expression(self, node: cst.CSTNode, env: Env) -> Value:
        value = self.evaluate(node, env)
        if value.kind is Kind.TORCH and not value.types and self.is_class(value.const):
            value = value.but(
                types=frozenset({str(value.const)})
            )  # that it is one of them survives where it may be another
        self.note(node, value)
        return value

    def is_class(self, name: object) -> bool:
        """Whether something of torch is a class of layers, or of optimizers or datasets that may be chosen when the program runs."""
        spec = self.tables.functions.get(name) if isinstance(name, str) else None
        is_chosen = spec is not None and (is_optimizer(spec.name) or datasets.is_labelled(spec.name))
        return name in self.tables.layers or (is_chosen and spec is not None and spec.same is not None)

    def evaluate(self, node: cst.CSTNode, env: Env) -> Value:
        rule = _EXPRESSIONS.get(type(node))
        if rule is not None:
            return rule(self, node, env)
        self.below(node, env)
        return UNKNOWN

    def operation(self, node: cst.BinaryOperation, env: Env) -> Value:
        left, right = self.expression(node.left, env), self.expression(node.right, env)
        return self.binary(node, left, right, env)

    def string(self, node: cst.SimpleString | cst.ConcatenatedString, env: Env) -> Value:
        if isinstance(node, cst.ConcatenatedString):
            self.below(node, env)  # formatted strings among its parts
        text = _text(node.value) if isinstance(node, cst.SimpleString) else node.evaluated_value
        return constant(text) if isinstance(text, str) else STR

    def formatted(self, node: cst.FormattedString, env: Env) -> Value:
        self.below(node, env)
        return STR

    def boolean(self, node: cst.BooleanOperation, env: Env) -> Value:
        left = self.expression(node.left, env)
        inner = dict(env)
        if isinstance(node.operator, cst.And):
            self.narrow(node.left, inner, True)
        right = self.expression(node.right, inner)
        if right.kind is Kind.TORCH and right.types and left.kind in (Kind.UNKNOWN, Kind.NONE):
            return right.but(const=NOTHING)  # `norm_layer or nn.LayerNorm`: a class of layers in either case
        return join(left, right)

    def conditional(self, node: cst.IfExp, env: Env) -> Value:
        self.expression(node.test, env)
        body, other = self.expression(node.body, env), self.expression(node.orelse, self.otherwise(node.test, env))
        if other.kind is Kind.MODULE and self.calls_missing(node.body):
            return other  # `norm_layer(dim) if norm_layer is not None else nn.Identity()`, without a class in sight
        return join(body, other)

    def dictionary(self, node: cst.Dict, env: Env) -> Value:
        elements = [self.dictionary_value(element, env) for element in node.elements]
        return self.new_container(node, Value(Kind.DICT, elem=join_all(elements) if elements else None))

    def comprehended(self, node: cst.BaseComp, env: Env) -> Value:
        inner = self.comprehension(node.for_in, env)
        if isinstance(node, cst.DictComp):
            self.expression(node.key, inner)
        kind = Kind.DICT if isinstance(node, cst.DictComp) else Kind.LIST
        element = self.expression(node.value if isinstance(node, cst.DictComp) else node.elt, inner)  # type: ignore[attr-defined]
        self.keep_named(node, inner, env)
        return self.new_container(node, Value(kind, elem=element))

    def named(self, node: cst.NamedExpr, env: Env) -> Value:
        value = self.expression(node.value, env)
        self.assign(node.target, value, env)
        return value

    def calls_missing(self, node: cst.BaseExpression) -> bool:
        """Whether an expression calls a parameter that is None by default, and is given nothing else in the program."""
        if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Name) or self.function is None:
            return False
        name, function = node.func.value, self.function
        defaults = {param.name.value: param.default for param in function.parameters if param.default is not None}
        if name not in defaults or not isinstance(defaults[name], cst.Name) or defaults[name].value != "None":  # type: ignore[attr-defined]
            return False
        seen = function.seen_before.get(name)
        return self.values(node.func).kind in (Kind.NONE, Kind.UNKNOWN) and (seen is None or seen.kind is Kind.NONE)

    def lambda_value(self, node: cst.Lambda, env: Env) -> Value:
        """A lambda: what it gives for all that is known to be passed to it."""
        seen, every = self.ask(_Inference.passed_to, node), self.ask(_Inference.every_of, self.function)
        inner = dict(env)
        for name in inner.keys() & every.keys():
            if every[name].kind is Kind.TENSOR and inner[name].kind is Kind.TENSOR:
                inner[name] = join(inner[name], every[name])
        for param in _lambda_parameters(node.params):
            name = param.name.value
            default = self.expression(param.default, env) if param.default is not None else None
            given = seen.get(name, UNKNOWN)
            if default is not None and name in seen:
                given = join(given, default)
            inner[name] = given
        self.lambda_envs[node] = inner
        if self.current is not None:
            self.current.lambdas[node] = inner
        result = self.expression(node.body, inner)
        return Value(Kind.FUNCTION, const=_Lambda(node), elem=result, among=frozenset({LAMBDA}))

    def lambda_call(self, node: cst.Lambda, arguments: Sequence[cst.Arg], values: Sequence[Value]) -> Value:
        """What a lambda gives when it is called; its parameters are what all calls pass for them."""
        seen, names = self.lambdas.setdefault(node, {}), [param.name.value for param in _lambda_parameters(node.params)]
        self.not_portable()
        if isinstance(node.params.star_arg, cst.Param) or any(argument.star for argument in arguments):
            return self.values(node.body)
        before = dict(seen)
        position = 0
        for argument, value in zip(arguments, values, strict=True):
            name = argument.keyword.value if argument.keyword is not None else None
            if name is None:
                name, position = (names[position] if position < len(names) else None), position + 1
            if name not in names or name is None:
                continue
            elem = value.element() if value.items else value.elem
            passed = value.but(rank=None, const=NOTHING, items=None, elem=elem)
            if passed.kind is Kind.TENSOR:
                passed = passed.but(roots=frozenset({"*"}))
            seen[name] = join(seen[name], passed) if name in seen else passed
        inner = self.lambda_envs.get(node)
        if seen != before and inner is not None:
            inner.update(seen)
            self.not_repeatable()
            self.expression(node.body, inner)
        return self.values(node.body)

    def below(self, node: cst.CSTNode, env: Env) -> None:
        for child in children(node):
            if isinstance(child, cst.BaseExpression):
                self.expression(child, env)
            else:
                self.below(child, env)

    def dictionary_value(self, element: cst.BaseDictElement, env: Env) -> Value:
        if not isinstance(element, cst.DictElement):
            return _of_mapping(self.expression(element.value, env), UNKNOWN)
        self.expression(element.key, env)
        return self.expression(element.value, env)

    def comprehension(self, node: cst.CompFor, env: Env) -> Env:
        inner = dict(env)
        current: cst.CompFor | None = node
        while current is not None:
            iterable = self.expression(current.iter, inner)
            self.assign(current.target, self.element_of(iterable), inner)
            for condition in current.ifs:
                self.expression(condition.test, inner)
                self.narrow(condition.test, inner, True)
            current = current.inner_for_in
        return inner

    def display(self, node: cst.Tuple | cst.List | cst.Set, env: Env) -> Value:
        kind = Kind.TUPLE if isinstance(node, cst.Tuple) else Kind.LIST
        parts = [self.expression(element.value, env) for element in node.elements]
        if any(isinstance(element, cst.StarredElement) for element in node.elements):
            spread = [
                self.element_of(part) if isinstance(element, cst.StarredElement) else part
                for element, part in zip(node.elements, parts, strict=True)
            ]
            return self.new_container(node, Value(kind, elem=join_all(spread)))
        return self.new_container(node, Value(kind, items=tuple(parts)))

    def keep_named(self, node: cst.CSTNode, inner: Env, env: Env) -> None:
        """What `:=` in a comprehension binds lives on behind it."""
        for item in descendants(node, cst.NamedExpr):
            if isinstance(item.target, cst.Name) and item.target.value in inner:
                name = item.target.value
                env[name] = join(env[name], inner[name]) if name in env else inner[name]

    def new_container(self, node: cst.BaseExpression, value: Value) -> Value:
        """A new container, with all that is stored into it anywhere, under whatever name."""
        if value.kind is Kind.TUPLE:
            return value
        site = f"{MADE}{self.site(node)}"
        stored = self.stored_before.get(site)
        if self.current is not None:
            self.current.stored[site] = stored
        if stored is not None:
            value = value.but(items=None, elem=_grown(value, stored))
        return value.but(types=frozenset({site}))

    def store_into(self, container: Value, value: Value) -> None:
        for site in container.types:
            if site.startswith(MADE):
                self.write(_Inference.note_stored, site, value)

    def note_stored(self, site: str, value: Value) -> None:
        _join_into(self.stored, site, value)

    def note_bases(self, item: Class, bases: list[Value]) -> None:
        before, item.bases = item.bases, bases
        keys = [key for value in bases for key in value.types if value.kind is Kind.CLASS]
        item.base_classes = [self.program.class_by_key[key] for key in keys]
        if bases != before:
            self.lineages = self.memory.number_of((self.form, self.bases()))

    def note_bound(self, name: str, value: Value) -> None:
        """Note what a variable of the module is bound to."""
        _join_into(self.every.setdefault(None, {}), name, value)

    def note_shared(self, name: str, value: Value) -> None:
        _join_into(self.shared, name, value)

    def name(self, node: cst.Name, env: Env) -> Value:
        name = node.value
        value = env[name] if name in env else self.name_outside(name)
        shared = self.shared_key(name, is_bound=name in env)
        if shared is None:
            return value
        others = self.shared_before.get(shared)
        if self.current is not None:
            self.current.shared[shared] = others
        return value if others is None else join(value, others)

    def find_declared(self) -> None:
        """The variables that some function declares global or nonlocal: others may change them."""
        for node in self.program.index.every(cst.Global):
            for item in node.names:
                self.declared.setdefault(item.name.value, set()).add(None)
                if (function := self.program.function_around(node)) is not None:
                    self.declaring.add((function, item.name.value))
        for inner in self.program.index.every(cst.Nonlocal):
            for item in inner.names:
                self.declared.setdefault(item.name.value, set()).add(outermost(self.program.function_around(inner)))

    def bound_by_functions(self) -> list[tuple[str, Value]]:
        """The variables of the module that functions bind, by `global`, with what they bound them to in the last round."""
        every = [name for name, owners in self.declared.items() if None in owners and name in self.shared_before]
        return [(name, self.shared_before[name]) for name in every]

    def shared_key(self, name: str, *, is_bound: bool) -> str | None:
        """What tells a variable apart that several functions may change; None if it is one of the function's own."""
        owners = self.declared.get(name)
        if owners is None:
            return None
        around = outermost(self.function)
        if around is not None and around in owners:
            return f"{around.key}.{name}"
        is_own = is_bound and self.function is not None and (self.function, name) not in self.declaring
        return name if None in owners and not is_own else None

    def name_outside(self, name: str) -> Value:
        outer = self.function.outer if self.function is not None else None
        while outer is not None:
            if name in outer.env:
                return self.at_any_time(outer, name, outer.env[name])
            outer = outer.outer
        if name in self.program.module_env:
            return self.program.module_env[name]
        if name == "torch":  # forgotten among the imports: nothing else has this name
            return Value(Kind.TORCH, const="torch")
        return _BUILTINS.get(name, UNKNOWN)

    def at_any_time(self, function: Function | None, name: str, value: Value) -> Value:
        """What a variable holds when something that is called later reads it."""
        every = self.every.get(function, {}).get(name, value)
        if every.kind is Kind.UNKNOWN and self.stays_the_same(function, name):
            return value  # what is seen of it later has been so all the time
        return join(value, every) if every.kind is not value.kind or every.dtype != value.dtype else value

    def stays_the_same(self, function: Function | None, name: str) -> bool:
        """Whether a function binds a variable once, and nowhere asks which class it is of."""
        if function is None or function.node not in self.program.functions or name in function.parameter_names:
            return False
        bindings = self.program.definitions.every(Variable(function.node, name))
        if len(bindings) != 1 or bindings[0].how is not How.ASSIGNED:
            return False
        calls = descendants(function.node.body, cst.Call)
        asked = (call for call in calls if dotted(call.func) in evidence.CLASS_TESTS)
        return not any(node.value == name for call in asked for node in descendants(call, cst.Name))

    def attribute(self, node: cst.Attribute, env: Env) -> Value:
        base = self.expression(node.value, env)
        name = node.attr.value
        match base.kind:
            case Kind.TORCH if base.const is NOTHING:  # one of several
                return PYTHON if base.types == {f"constant:{Kind.TORCH_OBJECT}"} else UNKNOWN
            case Kind.TORCH:
                return self.torch_attribute(str(base.const), name)
            case Kind.PYTHON if files := files_of(base):
                return self.asked_of_files(files, name)
            case Kind.PYTHON if isinstance(base.const, Options):
                return dict(base.const.known).get(name, UNKNOWN)
            case Kind.PYTHON if f"{base.const}.{name}" in self.tables.own or self.is_on_torch(node, base):
                return self.torch_attribute(str(base.const), name)
            case Kind.PYTHON if base.const == "math" and name in _MATH_CONSTANTS:
                return FLOAT
            case Kind.PYTHON if isinstance(base.const, str):
                return Value(Kind.PYTHON, const=f"{base.const}.{name}")
            case Kind.PYTHON if name in _ARRAY_VIEWS:
                return PYTHON
            case Kind.MODULE | Kind.OBJECT:
                made = self.class_of_object(node, base) if name == "__class__" else None
                return made or self.instance_attribute(base, name)
            case Kind.TORCH_OBJECT:
                spec = self.tables.method_of(base.types, name)
                is_attribute = spec is not None and "," not in spec.signature and not spec.effects
                return self.spec_result(spec, {spec.signature: node.value}, base) if spec and is_attribute else UNKNOWN
            case Kind.CLASS:
                return self.class_attribute(base, name)
            case Kind.UNKNOWN if self.shows_kind(node, env):
                base = self.evidence(node.value, name, env)
                if base.kind is not Kind.UNKNOWN:
                    return self.attribute_of(base, name, node)
                return UNKNOWN
            case Kind.UNKNOWN if self.has_tensors_only and self.is_used_as_tensor(node, base):
                base = self.refine(node.value, TENSOR, env)
                return self.attribute_of(base, name, node) if base.kind is not Kind.UNKNOWN else UNKNOWN
            case Kind.UNKNOWN if name in evidence.DISTRIBUTION_WORDS and self.program.mentions("distributions"):
                if not self.program.defines_method(name):
                    self.refine(node.value, Value(Kind.TORCH_OBJECT, types=frozenset({"Distribution"})), env)
                return UNKNOWN
            case Kind.UNKNOWN if name in _TRANSPOSED:
                return UNKNOWN.but(roots=base.roots)  # a view, if it is a tensor
        return self.attribute_of(base, name, node)

    def class_attribute(self, base: Value, name: str) -> Value:
        """`Config.lr`: a method, or a plain value that class statements and whoever sets the attribute give it."""
        items = [self.program.class_by_key[key] for key in sorted(base.types)]
        for item in items:
            if (method := item.method(name)) is not None:
                return Value(Kind.FUNCTION, types=frozenset({method.key}))
        found = [self.field_of(item, name) if self.has_plain_attributes(item) else None for item in items]
        value = join_all(item or UNKNOWN for item in found) if found else UNKNOWN
        if _holds_tensors(value) or _is_table(value) or value.is_a(Kind.LIST, Kind.DICT):
            return value
        return value.but(const=NOTHING) if value.kind in _PLAIN_KINDS else UNKNOWN

    def has_plain_attributes(self, item: Class) -> bool:
        """Whether a class has the attributes that its statement binds: those of an enumeration, say, are others."""
        bases = [
            (value, base.value)
            for each in item.lineage
            for value, base in zip(each.bases, each.node.bases, strict=False)
        ]
        return not any(each.node.keywords for each in item.lineage) and all(
            value.kind is Kind.CLASS or code(node) == "object" or str(value.const) == "torch.nn.Module"
            for value, node in bases
        )

    def is_on_torch(self, node: cst.Attribute, base: Value) -> bool:
        """Whether a dotted name is of a package on top of torch, and no class of models whose weights are read only."""
        name = f"{base.const}.{node.attr.value}"
        if name.startswith("torch.") or not needs_torch(name):
            return False
        return not only_reads_weights(self.program.index, node)

    def attribute_of(self, base: Value, name: str, node: cst.Attribute) -> Value:
        """An attribute of a tensor or other torch object, by its row."""
        if base.kind is Kind.TENSOR:
            spec = self.tables.method(name)
            if name == "shape":
                return Value(Kind.SIZE, rank=base.rank)
            if name == "dtype":
                return Value(Kind.DTYPE, dtype=base.dtype)
            if name == "device":
                return Value(Kind.DEVICE)
            if name == "grad":
                return Value(Kind.TENSOR, base.rank, base.dtype, roots=frozenset({"*"}))
            if spec is not None and spec.signature == "input":
                return self.spec_result(spec, {"input": node.value}, base)
        if base.kind is Kind.DEVICE and name == "type":
            return Value(Kind.STR)
        if base.kind is Kind.LOADER and name == "dataset":
            return Value(Kind.DATASET, elem=base.elem)
        if base.kind is Kind.DATASET:
            return datasets.dataset_attribute(base, name)
        if base.kind is Kind.TUPLE and (field := named_tuples.field(base, name)) is not None:
            return field
        if base.items is not None and name in ("values", "indices") and len(base.items) == 2:
            return base.items[0 if name == "values" else 1]
        return self.item_of(base) if base.kind is Kind.UNKNOWN and base.roots else UNKNOWN

    def torch_attribute(self, base: str, name: str) -> Value:
        known = self.tables.functions.get(base)
        if known is not None and known.result == "str":
            return UNKNOWN  # what a text has
        full = canonical(f"{base}.{name}")
        owner, spec = self.tables.functions.get(base), self.tables.functions.get(full)
        if owner is not None and (owner.same is not None or _is_object(owner)):
            return PYTHON  # what stands in its place has the same attributes
        if spec is not None and not spec.signature and isinstance(spec.result, dict):
            return Value(
                Kind.TORCH,
                const=full,
                dtype=spec.result.get("dtype"),
                types=frozenset({f"constant:{spec.result.get('kind', '')}"}),
            )
        return torch_value(full)

    def instance_attribute(self, base: Value, name: str) -> Value:
        found: list[Value] = []
        for item in self.classes_of(base):
            value = self.field_of(item, name)
            method = item.getter(name) or item.method(name)
            if method is not None:
                self.ask(_Inference.head_of, method)
            if value is not None:
                found.append(value)
            elif method is not None and "property" in method.decorators:
                others = [self.result_of(other) or UNKNOWN for other in self.properties_below(item, name, base)]
                is_left = bool(others) and self.is_left_to_subclasses(method)
                found += others if is_left else [self.result_of(method) or UNKNOWN, *others]
            elif method is not None:
                found.append(Value(Kind.FUNCTION, types=frozenset({method.key}), elem=base))
            else:
                found += [self.result_of(other) or UNKNOWN for other in self.properties_below(item, name, base)]
        if found:
            value = join_all(found)
            is_cast = self.has_casts and base.kind is Kind.MODULE and bool(value.types & {"parameter", "buffer"})
            return _of_any_float(value) if is_cast else value
        if base.kind is Kind.MODULE and (below := self.method_below(base, name)) is not None:
            return below
        if base.kind is Kind.MODULE:
            if base.const in (NAMED, NAMED_NEW_FIRST) and base.elem is not None and name not in _SEQUENTIAL_METHODS:
                return base.elem
            if name == "training":
                return BOOL
            if base.types == {"torch.nn.Transformer"} and name in _PARTS_OF_TRANSFORMERS:
                return Value(Kind.MODULE, types=_PARTS_OF_TRANSFORMERS[name], sites=base.sites)
            if name in _SIZES and base.types and all(item.startswith("torch.nn.") for item in base.types):
                return INT
            is_factor = base.types == {"torch.nn.utils.weight_norm"} and name in ("weight_g", "weight_v")
            if name in _FIELDS_OF_LAYERS or is_factor:
                return Value(Kind.TENSOR, roots=frozenset({f"field:{name}"}), types=frozenset({"parameter"}))
        return UNKNOWN

    def properties_below(self, item: Class, name: str, base: Value) -> list[Function]:
        """The properties of that name of the classes that derive from the one whose methods read it of `self`."""
        if "self" not in base.roots:
            return []
        below = [one.methods[name] for one in self.derived.get(item.key, ()) if name in one.methods]
        found = [method for method in below if "property" in method.decorators]
        for method in found:
            self.ask(_Inference.head_of, method)
        return found

    def child_of(self, module: Value) -> Value:
        """Any of the direct parts of a module, of what is known of them."""
        classes = self.classes_of(module)
        if not classes or len(classes) != len(module.types):
            return module.elem if module.elem is not None and module.types == _SEQUENTIAL_TYPES else Value(Kind.MODULE)
        self.not_repeatable()
        unnamed = {mark[1:] for mark in all_marks(self.program) if mark[0] == UNNAMED_PART}
        fields = [(item, name, value) for item in classes for name, value in item.all_fields()]
        parts = [
            value.element() if any((part.key, name) in unnamed for part in item.lineage) else value
            for item, name, value in fields
            if value.kind is Kind.MODULE
        ]
        return join_all(parts) if parts else Value(Kind.MODULE)

    def method_below(self, base: Value, name: str) -> Value | None:
        """A method that only subclasses of the known class of a module have, as `self.encode` in the `forward` of their base;
        of a module of unknown class, the methods of that name of all classes.
        """
        classes = self.classes_of(base)
        if not is_own_method(name) or len(classes) != len(base.types):
            return None
        found = [
            item.methods[name]
            for item in self.program.class_by_key.values()
            if item.is_module and name in item.methods and (not classes or any(one in item.lineage for one in classes))
        ]
        if not found or any(self.field_of(item, name) is not None for item in self.program.module_classes()):
            return None
        for method in found:
            self.ask(_Inference.head_of, method)
        if any("property" in method.decorators for method in found):
            return None
        return Value(Kind.FUNCTION, types=frozenset(method.key for method in found), elem=base)

    def evidence(self, node: cst.BaseExpression, name: str, env: Env) -> Value:
        """Take an unknown name for what its use shows it to be."""
        if name in evidence.MODULE_WORDS or name in ("apply", "training"):
            value = self.any_module().but(among=self.values(node).among & TRAINS | GUESSED)
        elif name in _FILLED:
            value = Value(Kind.MODULE)  # a layer
        elif name in evidence.OPTIMIZER_WORDS:
            value = Value(Kind.OPTIMIZER)
        else:
            value = TENSOR
        return self.refine(node, value, env)

    def is_used_as_tensor(self, node: cst.Attribute, value: Value) -> bool:
        """Whether what has a `shape` has nothing in its function that tensors have not, and no class of the program has one.
        Anything may have a `T`, but not what has been computed with numbers.
        """
        name = node.attr.value
        if name not in ("shape", "mT") and not (
            name == "T" and value.roots and value.roots == self.computed(value.roots)
        ):
            return False
        if self.program.defines_method(name) or self.ask(_Inference.is_some_field, name):
            return False
        return isinstance(node.value, cst.Name) and not self.is_contradicted(node.value)

    def is_contradicted(self, name: cst.Name) -> bool:
        """Whether its function asks a variable for something that tensors do not have."""
        return evidence.contradicts(self.tables, self.asked_of(name))

    def asked_of(self, name: cst.Name) -> set[str]:
        """The fields and methods that its function asks a variable for."""
        if self.attributes is None:
            self.attributes = {}
            for item in self.program.index.attributes:
                if isinstance(item.value, cst.Name):
                    key = (self.program.index.function_of(item), item.value.value)
                    self.attributes.setdefault(key, set()).add(item.attr.value)
        return self.attributes.get((self.program.index.function_of(name), name.value), set())

    def shows_kind(self, node: cst.Attribute, env: Env) -> bool:
        """Whether what an unknown variable is asked for shows its kind."""
        name = node.attr.value
        if not isinstance(node.value, cst.Name):
            return False
        if self.is_filled_part(node) or self.applies_to_layers(node, env):
            return True
        if name == "training":
            return not self.is_looked_into(node) and self.is_called(node.value)
        if not evidence.is_word(name):
            return False
        if name == "eval" and (asked := self.call_of(node)) is not None and asked.args:
            return False  # of a table: `frame.eval("a + b")`
        if self.is_looked_into(node):
            return False  # a part of it: `scores.eval.items()`, `config.train.steps`
        if name in evidence.MODULE_WORDS or name in evidence.OPTIMIZER_WORDS:
            return True
        call = self.call_of(node)
        if call is None:
            return False
        if evidence.is_strong(self.tables, name, call):
            return True
        return (
            evidence.is_weak_word(name)
            and evidence.is_weak(self.tables, name, call)
            and (self.has_tensors_only or not evidence.has_words_of_numpy(call))
            and not self.program.defines_method(name)
            and not self.is_contradicted(node.value)
        )

    def is_called(self, name: cst.Name) -> bool:
        """Whether its function calls a variable: `model(x)`."""
        around = self.program.index.function_of(name)
        named = (call for call in self.program.index.calls if isinstance(call.func, cst.Name))
        return any(call.func.value == name.value and self.program.index.function_of(call) is around for call in named)  # type: ignore[attr-defined]

    def is_looked_into(self, node: cst.Attribute) -> bool:
        """Whether what has the name of a method is no method: it is asked for something itself, or for an element."""
        around = self.program.index.parents.get(node)
        is_part = isinstance(around, (cst.Attribute, cst.Subscript)) and around.value is node
        is_word = node.attr.value in evidence.MODULE_WORDS or node.attr.value == "training"
        return is_part and is_word and not node.attr.value.startswith("_")

    def is_filled_part(self, node: cst.Attribute) -> bool:
        """Whether `m.weight` is filled: given to one of torch's initializers, or `m.weight.data.zero_()`. It is of a layer, then,
        as `net.apply` gives them.
        """
        parents = self.program.index.parents
        if node.attr.value not in _FILLED:
            return False
        match parents.get(node):
            case cst.Attribute(attr=cst.Name("data")) as data:
                user = parents.get(data)
                by_itself = isinstance(user, cst.Attribute) and is_inplace_name(user.attr.value)
                return by_itself or self.is_given_to_initializer(user)
            case user:
                return self.is_given_to_initializer(user)

    def is_given_to_initializer(self, given: cst.CSTNode | None) -> bool:
        """Whether this is the argument that one of torch's initializers fills."""
        call = self.program.index.parents.get(given) if isinstance(given, cst.Arg) else None
        if not isinstance(call, cst.Call) or call.args[0] is not given:
            return False
        return str(self.values.torch_name(call.func)).startswith("torch.nn.init.")

    def applies_to_layers(self, node: cst.Attribute, env: Env) -> bool:
        """Whether `net.apply(function)` applies a function of the program that treats its argument as a layer."""
        call = self.call_of(node)
        if node.attr.value != "apply" or call is None or len(call.args) != 1:
            return False
        self.not_repeatable()  # it may be known to do so by the next round
        given = self.expression(call.args[0].value, env)
        functions = [self.program.by_key[key] for key in given.types if key in self.program.by_key]
        return given.kind is Kind.FUNCTION and any(map(self.treats_as_layer, functions))

    def treats_as_layer(self, function: Function) -> bool:
        """Whether a function fills the weights of its first argument, or asks which layer of torch it is."""
        name = next(iter(function.parameter_names[1 if function.is_method else 0 :]), None)
        if name is None or function.evidence.get(name, UNKNOWN).kind is Kind.MODULE:
            return name is not None
        file = self.program.modules.get(function.place)
        known = dict(file.module_env if file is not None else self.program.module_env)
        return any(
            str(self.expression(asked, known).const).startswith("torch.nn.")
            for node in own_nodes(function.node)
            if isinstance(node, cst.Call) and dotted(node.func) == "isinstance" and len(node.args) == 2
            if dotted(node.args[0].value) == name
            for asked in (node.args[1].value, *descendants(node.args[1].value))
            if isinstance(asked, (cst.Name, cst.Attribute))
        )

    def call_of(self, node: cst.Attribute) -> cst.Call | None:
        """The call of a method."""
        parent = self.program.index.parents.get(node)
        return parent if isinstance(parent, cst.Call) and parent.func is node else None

    def refine(self, node: cst.BaseExpression, value: Value, env: Env) -> Value:
        if not isinstance(node, cst.Name) or self.values(node).kind is not Kind.UNKNOWN:
            return self.values(node)
        name = node.value
        roots = self.values(node).roots
        if name not in env:  # one of the function around, where the next round knows it
            self.take_evidence(roots, value)
            return UNKNOWN
        if value.kind is Kind.TENSOR:  # whose storage it is, nobody has said
            value = value.but(roots=roots or frozenset({"*"}), among=value.among | self.values(node).among)
        env[name] = value
        self.note(node, value)
        self.take_evidence(roots, value)
        return value

    def refine_moved(self, node: cst.BaseExpression, env: Env) -> Value:
        """What is moved to a device is a tensor, if it is a part of something: a parameter might be a module, and what a
        call gives an object of another library.
        """
        roots = self.values(node).roots
        if not roots or any(root.startswith("param:") for root in roots) or self.program.defines_method("to"):
            return UNKNOWN
        return self.refine(node, TENSOR, env)

    def unary(self, node: cst.UnaryOperation, env: Env) -> Value:
        value = self.expression(node.expression, env)
        if isinstance(node.operator, cst.Not):
            return BOOL
        if isinstance(node.operator, cst.Minus) and isinstance(value.const, (int, float)):
            return constant(-value.const)
        if value.kind is Kind.BOOL:
            return INT
        if isinstance(node.operator, cst.Plus):  # the very tensor
            return value.but(const=NOTHING)
        return self.fresh(node, value.but(const=NOTHING))

    def fresh(self, node: cst.CSTNode, value: Value, place: int | None = None) -> Value:
        """A tensor with storage of its own, or the one at a place of several that an expression makes."""
        if value.kind is not Kind.TENSOR:
            return value.but(roots=frozenset()) if value.roots else value
        return value.but(roots=frozenset({f"new:{self.number(node if place is None else (node, place))}"}))

    def made_anew(self, node: cst.CSTNode, value: Value) -> Value:
        """A tensor, or each of several, with storage of its own."""
        if value.items is None:
            return self.fresh(node, value)
        return value.but(items=tuple(self.fresh(node, item, place) for place, item in enumerate(value.items)))

    def site(self, node: cst.CSTNode) -> int:
        return self.number(node)

    def deep_copy(self, node: cst.CSTNode, value: Value) -> Value:
        """A value whose parts are other modules than those of what it is a copy of."""
        items = value.items and tuple(self.deep_copy(node, item) for item in value.items)
        elem = value.elem and self.deep_copy(node, value.elem)
        own = (site if self.places.get(site) is node else self.number((node, site)) for site in value.sites)
        return value.but(sites=frozenset(own), items=items, elem=elem)

    def number(self, site: cst.CSTNode | tuple[cst.CSTNode, int]) -> int:
        """The number of an allocation site; no other site of the program has it."""
        if site not in self.sites:
            self.sites[site] = self.program.first_site + self.memory.next_site(site)
            self.places[self.sites[site]] = site if isinstance(site, cst.CSTNode) else site[0]
        return self.sites[site]

    def binary(self, node: cst.BinaryOperation, left: Value, right: Value, env: Env) -> Value:
        if left.kind in (Kind.TUPLE, Kind.LIST, Kind.SIZE) and isinstance(node.operator, cst.Add):
            return self.concatenated(left, right)
        if left.kind in (Kind.LIST, Kind.TUPLE) and isinstance(node.operator, cst.Multiply):
            return Value(left.kind, elem=left.element())
        if left.kind is right.kind is Kind.DICT:
            return Value(Kind.DICT, elem=join(left.elem or UNKNOWN, right.elem or UNKNOWN))
        if left.kind is Kind.STR:
            return STR
        left, right = self.added(node.operator, (node.left, left), (node.right, right), env)
        result = self.arithmetic(left, right)
        if result.is_number and left.is_number and right.is_number:
            return _operated(node.operator, left, right, result)
        if result.kind is Kind.TENSOR and isinstance(node.operator, cst.Divide) and str(result.dtype).startswith("int"):
            result = result.but(dtype="float32")
        if isinstance(node.operator, cst.MatrixMultiply) and result.kind is Kind.TENSOR:
            ranks = [self.values(node.left).rank, self.values(node.right).rank]
            known = [rank for rank in ranks if rank is not None]
            rank = max(*known, 2) - known.count(1) if len(known) == 2 and min(known) >= 1 else None
            result = result.but(rank=rank)
        if result.kind is Kind.TENSOR and is_weak(left, right):
            result = result.but(types=result.types | {"weak"})
        result = _where(right, _where(left, result))
        if result.kind is Kind.UNKNOWN:
            of = right.roots if left.is_number else left.roots
            return self.new_if_tensor(node, result, of if left.is_number or right.is_number else None)
        return self.fresh(node, result)

    def new_if_tensor(self, node: cst.CSTNode, result: Value, roots: frozenset[str] | None) -> Value:
        """What is computed of something unknown: if it is a tensor, then one of its own, and so is what numbers were added to,
        which has these `roots`.
        """
        root = f"new:{self.site(node)}"
        if roots is not None:
            self.note_computed(root, roots)
        return result.but(roots=frozenset({root}))

    def added(
        self,
        operator: cst.CSTNode,
        left: tuple[cst.BaseExpression, Value],
        right: tuple[cst.BaseExpression, Value],
        env: Env,
    ) -> tuple[Value, Value]:
        """The operands of arithmetic: what has an index and takes a number, as no sequence does, is a tensor. Nothing can be
        taken from a sequence, either, and nothing else has matrix products.
        """
        operands = [left, right]
        if type(operator) in (cst.MatrixMultiply, cst.MatrixMultiplyAssign) and self.has_tensors_only:
            for place, (node, value) in enumerate(operands):
                if value.kind is Kind.UNKNOWN:
                    operands[place] = (node, self.refine_computed(node, env))
        if type(operator) in _NUMERIC and self.has_tensors_only:
            any_other = type(operator) not in (cst.Add, cst.AddAssign) and not self.program.mentions("Counter")
            for place, other in ((0, 1), (1, 0)):
                node, value = operands[place]
                if value.kind is not Kind.UNKNOWN or not value.roots:
                    continue
                if not operands[other][1].is_number and not any_other:
                    continue
                self.summed[self.function] |= value.roots
                if value.roots <= self.indexed[self.function]:
                    operands[place] = (node, self.refine_computed(node, env))
        return operands[0][1], operands[1][1]

    def concatenated(self, left: Value, right: Value) -> Value:
        if left.items is not None and right.items is not None:
            return Value(left.kind, items=left.items + right.items)
        kind = Kind.TUPLE if left.kind is Kind.SIZE else left.kind
        parts = [value.element() for value in (left, right) if value.is_sequence and (value.items or value.elem)]
        return Value(kind, elem=join_all(parts) if parts else None)

    def arithmetic(self, left: Value, right: Value) -> Value:
        if Kind.TENSOR in (left.kind, right.kind):
            ranks = [
                value.rank if value.kind is Kind.TENSOR else 0 if value.is_number else None for value in (left, right)
            ]
            rank = max(ranks) if None not in ranks else None  # type: ignore[type-var]
            return elementwise([left, right], rank)
        if left.is_number and right.is_number:
            return _number_result(left, right)
        if Kind.PYTHON in (left.kind, right.kind) and Kind.UNKNOWN not in (left.kind, right.kind):
            return left if _is_of_paths(left) else PYTHON
        return UNKNOWN

    def comparison(self, node: cst.Comparison, env: Env) -> Value:
        left = self.expression(node.left, env)
        rights = [self.expression(item.comparator, env) for item in node.comparisons]
        operators = [item.operator for item in node.comparisons]
        logical = all(type(item) in (cst.Is, cst.IsNot, cst.In, cst.NotIn) for item in operators)
        if not logical and any(value.kind is Kind.TENSOR for value in (left, *rights)):
            rank = self.arithmetic(left, rights[0]).rank
            return self.fresh(node, Value(Kind.TENSOR, rank, "bool"))
        if not logical and any(value.kind is Kind.UNKNOWN for value in (left, *rights)):
            if any(value.is_a(Kind.STR, Kind.NONE) for value in (left, *rights)):
                return BOOL
            return UNKNOWN.but(among=frozenset({"bool"}))  # if it is a tensor, then one of truth values
        return BOOL

    def subscript(self, node: cst.Subscript, env: Env) -> Value:
        base = self.expression(node.value, env)
        indices = [self.index(element.slice, env) for element in node.slice]
        if is_own_file(node):
            return _local_module(self.program.prefix, NOTHING)
        if base.kind in (Kind.UNKNOWN, Kind.PYTHON) and (named := self.named_by_pattern(node)) is not None:
            return named
        if base.kind is Kind.UNKNOWN and isinstance(node.value, cst.Name):
            base = self.expression(node.value, env)  # whose indices may have shown what it is
        if base.kind is Kind.UNKNOWN and self.has_tensors_only and _indexes_array(node, indices):
            base = self.refine(node.value, TENSOR, env)
        if base.kind is Kind.UNKNOWN and base.roots and "*" not in base.roots:
            self.indexed[self.function] |= base.roots
            if base.roots <= self.summed[self.function] and self.has_tensors_only:
                base = self.refine_computed(node.value, env)
        match base.kind:
            case Kind.UNKNOWN if base.roots and any(isinstance(item.slice, cst.Slice) for item in node.slice):
                root = f"part:{self.site(node)}"
                self.note_computed(root, base.roots)
                self.indexed[self.function].add(root)
                return Value(roots=frozenset({root}))
            case Kind.TENSOR:
                return _where(base, self.tensor_index(node, base, indices))
            case Kind.TUPLE | Kind.LIST | Kind.SIZE | Kind.MODULE:
                return self.sequence_index(base, indices, node)
            case Kind.DICT | Kind.STATE_DICT | Kind.DATASET:
                return base.elem or UNKNOWN
            case Kind.TORCH:
                return base
            case Kind.OBJECT if self.classes_of(base):
                return self.given_by_key(base)
        if base.kind is Kind.UNKNOWN and base.roots:
            return self.item_of(base)
        return PYTHON if base.kind is Kind.PYTHON else UNKNOWN

    def given_by_key(self, base: Value) -> Value:
        """The class or function that the `__getitem__` of an object gives."""
        found: list[Value] = []
        for item in self.classes_of(base):
            method = item.method("__getitem__")
            is_dict = any(dotted(node.value) == "dict" for one in item.lineage for node in one.node.bases)
            if method is not None:
                found.append(self.result_of(method) or UNKNOWN)
            elif is_dict and base.elem is not None and base.elem.is_a(Kind.CLASS, Kind.FUNCTION):
                found.append(base.elem.but(among=base.elem.among | {SOME_CLASS}))
            else:
                return UNKNOWN
        given = join_all(found)
        return self.among_kept(base, given) if given.is_a(Kind.CLASS, Kind.FUNCTION) else UNKNOWN

    def index(self, node: cst.BaseSlice, env: Env) -> Value | None:
        """The value of one index; None for a slice."""
        if isinstance(node, cst.Slice):
            for part in (node.lower, node.upper, node.step):
                if part is not None:
                    self.expression(part, env)
            return None
        assert isinstance(node, cst.Index)
        return self.expression(node.value, env)

    def sequence_index(self, base: Value, indices: list[Value | None], node: cst.Subscript) -> Value:
        if base.kind is Kind.SIZE:
            return INT if indices and indices[0] is not None else Value(Kind.TUPLE, elem=INT)
        if indices and indices[0] is None:
            if base.items is not None:
                bounds = _slice_bounds(node)
                if bounds is not None:
                    sites = frozenset({self.site(node)}) if base.kind is Kind.MODULE else base.sites
                    return base.but(items=base.items[bounds], sites=sites)
            return base.but(items=None, elem=base.element() if base.items else base.elem)
        position = indices[0].const if indices and indices[0] is not None else NOTHING
        if base.items is not None and isinstance(base.const, tuple):  # the names of the entries
            return base.items[base.const.index(position)] if position in base.const else base.element()
        if base.items is not None and isinstance(position, int) and -len(base.items) <= position < len(base.items):
            return base.items[position]
        if base.kind is Kind.MODULE and (within := self.items_in_rounds(node)):
            return join_all(within)
        if base.types == {"torch.nn.ModuleDict"}:
            return base.element() if base.items or base.elem else UNKNOWN
        return self.element_of(base)

    def tensor_index(self, node: cst.Subscript, base: Value, indices: list[Value | None]) -> Value:
        """The rank and storage of `x[...]`: basic indices give views, tensors and lists copies."""
        rank, view, advanced = base.rank, True, []
        for value in indices:
            if value is None:
                continue
            if value.kind is Kind.INT:
                rank = rank - 1 if rank is not None else None
            elif value.kind is Kind.NONE:
                rank = rank + 1 if rank is not None else None
            elif value.const is ...:
                pass
            else:
                advanced.append(value)
                view = view and (value.kind is Kind.UNKNOWN or self.may_pick_one(node, value))
        if advanced:
            rank = self.advanced_rank(rank, advanced)
        weak = base.types & {"weak"}
        if view:
            roots = base.roots or frozenset({"*"})
            return Value(Kind.TENSOR, rank, base.dtype, types=weak, roots=roots, among=base.among - {"python"})
        return self.fresh(node, Value(Kind.TENSOR, rank, base.dtype, types=weak, among=base.among - {"python"}))

    def may_pick_one(self, node: cst.Subscript, index: Value) -> bool:
        """Whether an index may be a tensor of rank 0, which picks as a Python number does: `x[x.sum(1).argmin()]` is a view."""
        if index.kind is not Kind.TENSOR or index.dtype == "bool" or index.rank not in (0, None):
            return False
        named = [item.slice.value for item in node.slice if isinstance(item.slice, cst.Index)]
        known = (item for item in named if isinstance(item, cst.Name))
        is_named = isinstance(self.program.index.parents.get(node), cst.Assign)  # what changes in place has a name
        return index.rank == 0 or (is_named and not any(has_axis(item, self.program, self.values) for item in known))

    def advanced_rank(self, rank: int | None, indices: list[Value]) -> int | None:
        if rank is None:
            return None
        if any(value.dtype == "bool" for value in indices):
            if len(indices) == 1 and indices[0].rank is not None:
                return rank - indices[0].rank + 1
            return None
        ranks = [1 if value.kind in (Kind.LIST, Kind.TUPLE) else value.rank for value in indices]
        known = [item for item in ranks if item is not None]
        if len(known) < len(ranks) or any(value.dtype is None for value in indices if value.kind is Kind.TENSOR):
            return None
        return rank - len(indices) + max(known)

    def element_of(self, value: Value) -> Value:
        """What iterating over a value yields."""
        match value.kind:
            case Kind.UNKNOWN if AWAITED in value.among:
                return _AWAITED
            case Kind.TENSOR:
                rank = value.rank - 1 if value.rank else None
                roots = value.roots or frozenset({"*"})
                return Value(Kind.TENSOR, rank, value.dtype, roots=roots, among=value.among - {"python"})
            case Kind.SIZE:
                return INT
            case Kind.TUPLE | Kind.LIST:
                is_called = any(item.kind is Kind.MODULE for item in value.items or ()) and all(
                    item.kind is Kind.MODULE or self.is_function_of_torch(item) for item in value.items or ()
                )
                return Value(Kind.MODULE) if is_called and value.element().kind is Kind.UNKNOWN else value.element()
            case Kind.MODULE if value.types == {"torch.nn.ModuleDict"}:
                return STR
            case Kind.MODULE if (value.items or value.elem) and value.element().kind is not Kind.UNKNOWN:
                return value.element()
            case Kind.MODULE if self.classes_of(value):
                gone_through = self.parts_given(value, "__iter__")
                found = (
                    self.parts_given(value, "__getitem__") if gone_through is None else self.element_of(gone_through)
                )
                return found or UNKNOWN
            case Kind.MODULE:
                return Value(Kind.MODULE) if value.types and value.types <= _OF_MODULES else UNKNOWN
            case Kind.LOADER | Kind.DATASET:
                return value.elem or UNKNOWN
            case Kind.PARAMETERS:
                return value.elem or Value(Kind.TENSOR, roots=frozenset({PARAMETER_ROOT}))
            case Kind.STR | Kind.DICT:
                return STR if value.kind is Kind.STR else UNKNOWN
        return value.elem or PYTHON if value.kind is Kind.PYTHON else self.item_of(value)

    def is_function_of_torch(self, value: Value) -> bool:
        """Whether a value is a function such as `torch.tanh`."""
        return value.kind is Kind.TORCH and value.const in self.tables.functions

    def parts_given(self, value: Value, name: str) -> Value | None:
        """What `__getitem__` and `__iter__` of modules of the program give, where these are modules; None without
        such a method."""
        methods = [method for item in self.classes_of(value) if (method := item.method(name)) is not None]
        if not methods:
            return None
        found = join_all([self.result_of(method) or UNKNOWN for method in methods])
        parts = found.element() if found.kind in (Kind.LIST, Kind.TUPLE) else found
        return found if parts.kind is Kind.MODULE else UNKNOWN

    def item_of(self, value: Value) -> Value:
        """A part of something of which no more is known than where it is from."""
        roots = value.roots.union(*(self.computed_from[root] for root in self.computed(value.roots)))
        known = {root if root.startswith(ITEM) else ITEM + root for root in roots if root.startswith(("param:", ITEM))}
        return Value(roots=_PART.roots | known)

    # calls

    def call(self, node: cst.Call, env: Env) -> Value:
        if is_differentiated_lambda(node):
            return self.differentiated(node, env)
        if (normalized := self.normalized_call(node, env)) is not None:
            return normalized
        if (short := structured(node)) is not None:
            return self.structured(short, node, list(node.args), env)
        function = self.expression(node.func, env)
        if function.kind in (Kind.UNKNOWN, Kind.PYTHON) and (chosen := self.named_of_file(node, env)) is not None:
            function = chosen
            self.note(node.func, function)
        if function.kind is Kind.TORCH and function.const in STRUCTURED:
            return self.structured(str(function.const).rpartition(".")[2], node, _unpacked(node), env)
        if function.kind is Kind.TORCH and str(function.const) in TRANSFORMS:
            return self.transform(str(function.const), node, env)
        if function.kind is Kind.FUNCTION and isinstance(function.const, _Transformed):
            return self.transformed_call(function, node, env)
        arguments = [self.expression(argument.value, env) for argument in node.args]
        if (named := self.asked_by_name(node, arguments, env) or self.named_by_pattern(node)) is not None:
            return named
        if function.const in IMPORTING and (file := self.found_files(node, arguments)) is not None:
            return file
        if (beside := classes_beside_layers(function)) is not None:
            return self.made_by_one(beside, node, arguments)
        takes_tensor = bool(arguments) and arguments[0].kind is Kind.TENSOR
        if _NAMED_PART in function.types and [item.keyword or item.star for item in node.args] == [""]:
            function = function.elem or Value(Kind.MODULE)
            self.note(node.func, function)
        is_given = function.kind in (Kind.UNKNOWN, Kind.PYTHON) and self.is_given_part(node.func)
        is_tool = is_given and function.kind is Kind.PYTHON and not takes_tensor  # of some library
        if is_given and not is_tool:
            function = Value(Kind.MODULE)
            self.note(node.func, function)
        if isinstance(node.func, cst.Attribute):
            self.note_receiver(node, self.values(node.func.value))
        if is_given and not takes_tensor:  # or a function of something else
            self.note_callees(node, ())
            return UNKNOWN
        match function.kind:
            case Kind.TORCH if function.const is NOTHING and TENSOR_CLASS in function.types:
                return self.fresh(node, Value(Kind.TENSOR, dtype=function.dtype))
            case Kind.TORCH if function.const is NOTHING and function.types and all(map(is_optimizer, function.types)):
                return self.optimizer(node, arguments)
            case Kind.TORCH if function.const is NOTHING and any(map(datasets.is_labelled, function.types)):
                given = datasets.Given(node, arguments)
                return join_all(datasets.vision_call(name, given) for name in sorted(function.types))
            case Kind.TORCH if function.const is NOTHING and function.types:
                among = self.may_be_inplace(function, node.args) or function.among & {INPLACE}
                return Value(Kind.MODULE, types=function.types, sites=frozenset({self.site(node)}), among=among)
            case Kind.TORCH:
                return self.torch_call(str(function.const), node, arguments, env)
            case Kind.CLASS:
                return self.construct(function, node, arguments, env)
            case Kind.FUNCTION:
                self.refine_arguments(function, node, arguments, env)
                classes = frozenset(function.types & self.program.class_by_key.keys())
                if not classes:
                    return self.program_call(function, node, arguments)
                made = self.construct(Value(Kind.CLASS, types=classes), node, arguments, env)
                found = self.values.callees.get(node, ())
                result = self.program_call(function.but(types=function.types - classes), node, arguments)
                self.note_callees(node, (*found, *self.values.callees.get(node, ())))
                return join(made, result)
            case Kind.MODULE:
                return self.module_call(function, node, arguments, env)
            case Kind.OBJECT:
                return self.object_call(function, node, arguments)
            case Kind.TORCH_OBJECT:
                spec = self.tables.method_of(function.types, "__call__")
                return self.call_result(spec, node, node.func) if spec is not None else UNKNOWN
            case Kind.PYTHON if function.const in _EINOPS:
                return self.einops_result(function.const, node, arguments)
            case Kind.PYTHON if function.const in array_files.READING:
                return Value(Kind.DICT, elem=TENSOR)
            case Kind.PYTHON if function.const == array_files.OPENING:
                return Value(Kind.PYTHON, const=array_files.OPENED)
            case Kind.PYTHON if function.const == array_files.GIVING:
                return self.fresh(node, TENSOR)
            case Kind.PYTHON if function.const == "einops.pack" and len(arguments) == 2:
                packed = self.einops_result(function.const, node, arguments)
                return Value(Kind.TUPLE, items=(packed, Value(Kind.LIST, elem=Value(Kind.PYTHON))))
        if function.const == "collections.namedtuple":  # a class: what it makes holds what it is given
            return named_tuples.class_value(node, arguments)
        if (entry := named_tuples.entry(function, node, arguments)) is not None:
            return entry
        if function.const == "collections.OrderedDict":
            return _ordered_dict(node, arguments)
        if function.const == "functools.partial" and arguments and arguments[0].kind is Kind.TORCH:
            types, among = arguments[0].types, frozenset({"partial"}) | self.may_be_inplace(arguments[0], node.args[1:])
            return Value(Kind.TORCH, types=types, among=among) if types else UNKNOWN
        if function.const == "functools.partial" and arguments and arguments[0].kind is Kind.FUNCTION:
            if arguments[0].types:
                return self.partial(node, arguments)
        if function.const in ("copy.deepcopy", "copy.copy") and arguments and arguments[0].kind in _COPIED:
            copied = self.deep_copy(node, arguments[0]) if function.const == "copy.deepcopy" else arguments[0]
            return copied.but(sites=frozenset({self.site(node)}), roots=frozenset())
        if function.const == "copy.deepcopy" and arguments and _is_list_of_modules(arguments[0]):
            return self.deep_copy(node, arguments[0])
        if function.const == "copy.copy" and arguments and arguments[0].kind in (Kind.LIST, Kind.TUPLE, Kind.DICT):
            return arguments[0]
        if function.const in ("collections.Counter", "collections.defaultdict"):
            if function.const == "collections.Counter":
                return Value(Kind.DICT, elem=INT)
            return Value(Kind.DICT, elem=_made_by_default(node) or self.empty_by_default(node, env))
        if function.const in ("random.randint", "random.randrange"):
            return INT
        if function.const in _CHOOSING and arguments:
            chosen = self.element_of(arguments[0])
            return chosen if function.const == "random.choice" else Value(Kind.LIST, elem=chosen)
        if isinstance(function.const, str) and function.const.startswith(_HOLDING):
            return _PART
        if function.const in _SHOWING_PROGRESS and arguments and not (node.args[0].keyword or node.args[0].star):
            return Value(Kind.PYTHON, elem=self.element_of(arguments[0]))
        if keeps_arguments(function) and any(not value.is_number and value.kind is not Kind.STR for value in arguments):
            return _PART  # as may be what it holds
        if may_give_tensors(function) and any(map(may_hold_tensors, arguments)):
            return _PART
        if isinstance(node.func, cst.Attribute) and node.func.attr.value == "defvjp":
            self.own_gradient(node.func.value, arguments)
        if is_parsing(node) and function.is_a(Kind.PYTHON, Kind.UNKNOWN):
            options = Value(Kind.PYTHON, const=options_of(self.program, lambda item: self.expression(item, env)))
            return options if receives_all(node) else Value(Kind.TUPLE, items=(options, Value(Kind.LIST, elem=STR)))
        if isinstance(node.func, cst.Attribute):
            return self.method_call(node, node.func, arguments, env)
        if isinstance(node.func, cst.Name) and node.func.value not in env:
            return self.builtin_call(node.func.value, node, arguments)
        if function.kind is Kind.PYTHON and _is_of_paths(function):
            return Value(Kind.PYTHON, const=f"{function.const}()")  # whose fields are none of torch's either
        return PYTHON if function.kind is Kind.PYTHON else UNKNOWN

    def columns(self, node: cst.Call, arguments: Sequence[Value]) -> Value:
        """`zip(*rows)`: the first elements of all rows, the second ones and so on."""
        row = self.element_of(arguments[0]) if len(arguments) == 1 and node.args[0].star == "*" else UNKNOWN
        if row.kind is not Kind.TUPLE or row.items is None:
            return Value(Kind.LIST, elem=Value(Kind.TUPLE, elem=self.element_of(row)))
        return Value(Kind.LIST, items=tuple(Value(Kind.TUPLE, elem=item) for item in row.items))

    def made_by_one(self, beside: tuple[Value, Value], node: cst.Call, arguments: list[Value]) -> Value:
        """What a class or function of the program or a layer of torch makes, whichever a variable holds."""
        own, layers = beside
        functions = own.types & self.program.by_key.keys()
        made = self.program_call(own.but(types=functions), node, arguments) if functions else Value(Kind.MODULE)
        classes = own.types - functions
        if (
            not all(map(self.is_module_class, classes))
            or made.kind is not Kind.MODULE
            or (functions and not made.types)
        ):
            return UNKNOWN
        among = made.among | self.may_be_inplace(layers, node.args)
        types = made.types | classes | layers.types
        return Value(Kind.MODULE, types=types, sites=frozenset({self.site(node)}), among=among)

    def is_module_class(self, key: str) -> bool:
        item = self.program.class_by_key.get(key)
        return item is not None and item.is_module

    def may_be_inplace(self, made: Value, given: Sequence[cst.Arg]) -> frozenset[str]:
        """Whether a layer of one of some classes may be made to change its argument in place."""
        signatures = [self.tables.layers[name].signature for name in made.types if name in self.tables.layers]
        for item in given if any("inplace" in text for text in signatures) else ():
            const = self.values(item.value).const
            is_named = item.keyword is not None and item.keyword.value == "inplace"
            if (is_named and const is not False) or (item.keyword is None and const is True):
                return frozenset({INPLACE})
        return frozenset()

    def is_given_part(self, node: cst.BaseExpression) -> bool:
        """Whether a field or an item of a module is read of which nothing is known, so that it may hold a module of any class."""
        owner = self.values(node.value) if isinstance(node, (cst.Attribute, cst.Subscript)) else UNKNOWN
        if not isinstance(node, (cst.Attribute, cst.Subscript)) or owner.kind is not Kind.MODULE:
            return False
        classes = self.classes_of(owner)
        if isinstance(node, cst.Subscript):
            return bool(classes) and all(item.method("__getitem__") is not None for item in classes)
        name = node.attr.value
        return bool(classes) and all(
            (field := self.field_of(item, name)) is not None
            and field.but(roots=frozenset(), optional=False) in (UNKNOWN, PYTHON)
            for item in classes
        )

    def asked_by_name(self, node: cst.Call, arguments: list[Value], env: Env) -> Value | None:
        """What `getattr` gives by its name: a part of torch, or a part or method of an object."""
        if not isinstance(node.func, cst.Name) or node.func.value != "getattr" or "getattr" in env:
            return None
        found = self.named_of_torch(arguments) or self.named_of_files(node, arguments)
        found = found or self.named_dtype(node, arguments) or self.named_part(node, arguments)
        return found or self.named_method(node, arguments)

    def named_of_torch(self, arguments: list[Value]) -> Value | None:
        """`getattr(nn, "ReLU")` is `nn.ReLU`."""
        if len(arguments) not in (2, 3) or arguments[0].kind is not Kind.TORCH:
            return None
        base, name = arguments[0].const, arguments[1].const
        if base == "torch.optim" and name is NOTHING and len(arguments) == 2:
            return Value(
                Kind.TORCH, types=frozenset(filter(self.is_class, filter(is_optimizer, self.tables.functions)))
            )
        if not isinstance(base, str) or not isinstance(name, str):
            return None
        return self.torch_attribute(base, name)

    def named_of_files(self, node: cst.Call, arguments: list[Value]) -> Value | None:
        """`getattr(module, "Net")` is `module.Net`, whichever file of the program the module is; `getattr(package, name).Net` is that
        of one of the files in the package.
        """
        files = files_of(arguments[0]) if len(arguments) == 2 else frozenset()
        name = arguments[1].const if files else NOTHING
        if not isinstance(name, str):
            match self.program.index.parents.get(node):
                case cst.Attribute(attr=cst.Name(asked)):
                    places = [file.removeprefix(LOCAL).partition("\n")[0] for file in files]
                    parts = [(place, name) for place in places for name in self.program.parts_of(place)]
                    inner = [item for item in starmap(self.program.part_of, parts) if item is not None]
                    inner = [item for item in inner if asked in self.program.modules[item].module_env]
                    if inner:
                        return Value(Kind.PYTHON, const=Files(frozenset(f"{LOCAL}{item}" for item in inner)))
            return Value(among=frozenset({SOME_CLASS})) if len(files) > 1 else None
        return self.asked_of_files(files, name)

    def named_dtype(self, node: cst.Call, arguments: list[Value]) -> Value | None:
        """`dtype = getattr(torch, args.dtype)`, which nothing calls."""
        if len(arguments) not in (2, 3) or arguments[0].const != "torch" or arguments[1].const is not NOTHING:
            return None
        around, is_kept = self.program.index.parents.get(node), False
        match around:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() | cst.Attribute() as target)]):
                is_kept = not any(dotted(call.func) == dotted(target) for call in self.program.index.calls)
            case cst.Arg(keyword=cst.Name(word)):
                is_kept = word in ("dtype", "torch_dtype")
            case cst.Arg():
                match self.program.index.parents[around]:
                    case cst.Call(func=cst.Attribute(attr=cst.Name("to"))):
                        is_kept = True
        return Value(Kind.DTYPE) if is_kept else None

    def named_of_file(self, node: cst.Call, env: Env) -> Value | None:
        """`models.__dict__[name](width=3)` is a call of one of the functions and classes of that file that take a `width`."""
        found = looked_up(self.program, node.func)
        asked = asked_of_file(self.program, self.values, found)
        if asked is None or _has_default(found):
            return None
        file, text = asked
        self.not_repeatable()  # there may be more by the next round
        name = self.values(text).const
        if isinstance(name, str):
            return file.module_env.get(name)
        for item in node.args:
            if not isinstance(item.value, cst.Call):
                self.expression(item.value, env)  # which tells functions of other things apart
        among = join_all(that_take(self.program, file, node, self.values))
        return among if among.kind in (Kind.CLASS, Kind.FUNCTION) and among.types else None

    def named_by_pattern(self, node: cst.Call | cst.Subscript) -> Value | None:
        """`eval(f"{kind}Net")`, `globals()[kind + "Net"]` is one of the functions and classes of that file with such a name."""
        asked = asked_of_file(self.program, self.values, node)
        if asked is None or _has_default(node):
            return None
        file, text = asked
        pattern = text_pattern(text, self.values(text))
        if pattern is None or pattern == ".*":
            return None
        self.not_repeatable()  # there may be more by the next round
        among = join_all(of_pattern(file, pattern))
        return among if among.kind in (Kind.CLASS, Kind.FUNCTION) and among.types else None

    def named_part(self, node: cst.Call, arguments: list[Value]) -> Value | None:
        """`getattr(self, f"norm{i}")` is one of the parts whose names have this form; `getattr(self, name)`, where it is called,
        one of all parts."""
        if not 2 <= len(arguments) <= 3 or arguments[0].kind is not Kind.MODULE or not arguments[0].types:
            return None
        pattern = text_pattern(node.args[1].value, arguments[1]) or self.texts_gone_through(node.args[1].value)
        classes = list(self.classes_of(arguments[0]))
        if len(classes) != len(arguments[0].types):
            return None
        self.not_repeatable()  # there may be more names by the next round
        found: list[Value] = []
        for item in classes:
            names = dict.fromkeys(name for part in item.lineage for name in (*part.fields_before, *part.fields))
            values = [self.field_of(item, name) for name in names if pattern is None or re.fullmatch(pattern, name)]
            found += [value for value in values if value is not None]
        modules = [value for value in found if value.kind is Kind.MODULE]
        if pattern is not None and len(arguments) == 2 and modules and modules == found:
            return join_all(found)
        if not modules or isinstance(arguments[1].const, str):
            return None
        if pattern is None and len(arguments) == 2 and is_only_flagged(self.program, node):
            return join_all(modules)
        return _PART.but(types=frozenset({_NAMED_PART}), elem=join_all(modules))

    def named_method(self, node: cst.Call, arguments: list[Value]) -> Value | None:
        """`getattr(self, f"{kind}_loss")` is one of the methods whose names have this form, or that callers say."""
        if len(arguments) != 2 or arguments[0].kind not in (Kind.MODULE, Kind.OBJECT):
            return None
        pattern = text_pattern(node.args[1].value, arguments[1]) or self.texts_given(node.args[1].value)
        lineages = [item.lineage for item in self.classes_of(arguments[0])]
        if pattern is None or len(lineages) != len(arguments[0].types):
            return None
        self.not_repeatable()  # there may be more names by the next round
        names = dict.fromkeys(
            name for lineage in lineages for item in lineage for name in (*item.fields, *item.methods)
        )
        values = [self.instance_attribute(arguments[0], name) for name in names if re.fullmatch(pattern, name)]
        is_one = bool(values) and all(value.kind is Kind.FUNCTION for value in values)
        return join_all(values) if is_one else None

    def texts_gone_through(self, name: cst.BaseExpression) -> str | None:
        """The pattern of the texts that a loop goes through: `for name in ["enc", "dec"]`."""
        return "|".join(map(re.escape, texts_of_loop(self.program, name))) or None

    def texts_given(self, name: cst.BaseExpression) -> str | None:
        """The pattern of what the calls of a function give it as text: `hook`, where these are `self.call("on_end", loss)`."""
        bound = self.program.definitions.bound_once(name) if isinstance(name, cst.Name) else None
        function = self.program.function_around(name)
        if bound is None or bound.how is not How.PARAMETER or function is None:
            return None
        self.not_repeatable()  # there may be more calls by the next round
        texts: list[object] = []
        for call in function.callers:
            given = dict(arguments_by_parameter(function, call, self.values)) if isinstance(call, cst.Call) else {}
            text = given.get(bound.variable.name, name)
            texts.append(_written_string(text) or self.values(text).const)
        if not all(isinstance(text, str) for text in texts):
            return None
        return "|".join(re.escape(str(text)) for text in texts) or None

    def class_of_object(self, node: cst.Attribute, base: Value) -> Value | None:
        """`self.__class__(width)` makes another object of the class, or of one that derives from it."""
        maker = self.program.index.parents.get(node)
        if not (isinstance(maker, cst.Call) and maker.func is node):
            return None
        classes = list(self.classes_of(base))
        if not classes or len(classes) != len(base.types):
            return None
        below = [item for item in self.program.classes.values() if any(one in item.lineage[1:] for one in classes)]
        made = [*classes, *(item for item in below if "__init__" in item.methods)]
        inits = [init for item in made if (init := item.method("__init__")) is not None]
        if base.kind is Kind.OBJECT and not any(descendants(init.node.body, cst.Call) for init in inits):
            return None  # which needs nothing but what it is given
        return Value(Kind.CLASS, types=frozenset(item.key for item in made))

    def partial(self, node: cst.Call, arguments: list[Value]) -> Value:
        """`functools.partial(f, x)` of functions of the program."""
        for key in sorted(arguments[0].types & self.program.by_key.keys()):
            function = self.program.by_key[key]
            self.pass_given(function, node.args[1:], arguments[1:], int(function.is_method))
        keys = arguments[0].types
        is_open = any(item.star == "*" for item in node.args)
        given = sum(1 for item in node.args[1:] if item.keyword is None and not item.star) if not is_open else None
        is_bound = any(self.program.by_key[key].is_method for key in keys & self.program.by_key.keys())
        return Value(
            Kind.FUNCTION, const=Partial(keys, given), types=keys if given == 0 and not is_bound else frozenset()
        )

    def overriding(self, function: Function, called: Value) -> Iterator[Function]:
        """The methods of subclasses that a call on `self` may reach."""
        if function.owner is None or called.elem is None or "self" not in called.elem.roots:
            return
        for item in self.program.class_by_key.values():
            method = item.methods.get(function.name)
            if method is not None and any(base.key == function.owner.key for base in item.lineage[1:]):
                yield method

    def is_left_to_subclasses(self, function: Function) -> bool:
        """Whether nothing runs a method but what overrides it: it is abstract, or does nothing and no object has it."""
        if _is_left_to_subclasses(function) or _is_abstract(function):
            return True
        return _does_nothing(function) and self.ask(_Inference.is_only_derived_from, function.owner)

    def is_only_derived_from(self, item: Class) -> bool:
        """Whether no object of a class itself is made: it is named as a base of others only, and by `super` and `isinstance`."""
        return all(
            _is_of_heirs(item, file.index.parents, name)
            for file in self.program.files
            for name in file.index.names
            if name.value == item.name
        )

    def transform(self, name: str, node: cst.Call, env: Env) -> Value:
        """A function made from another (`vmap(f)`), or the result of such a function (`jvp(f, (x,), (v,))`)."""
        self.not_repeatable()
        values = []
        for argument in node.args:
            if isinstance(argument.value, cst.Lambda):
                inner = dict(env)
                inner.update({param.name.value: TENSOR for param in _lambda_parameters(argument.value.params)})
                value = Value(Kind.FUNCTION, elem=self.expression(argument.value.body, inner))
                self.values.of_node[argument.value] = value
            else:
                value = self.expression(argument.value, env)
            values.append(value)
        short = name.rpartition(".")[2]
        if not values or values[0].kind not in (Kind.FUNCTION, Kind.MODULE):
            return UNKNOWN
        if (name.startswith("torch.func.") and short not in ("vjp", "jvp", "linearize")) or short == "vmap":
            shapeless = short == "vmap" and values[0].kind is Kind.FUNCTION
            result = _shapeless(self.given_by(values[0])) if shapeless else TENSOR if short == "hessian" else UNKNOWN
            if short in ("grad", "jacrev", "jacfwd") and len(node.args) == 1:
                result = TENSOR
            made_from = values[0].const
            keys = (*sorted(values[0].types), *(made_from.keys if isinstance(made_from, _Transformed) else ()))
            return Value(Kind.FUNCTION, const=_Transformed(keys), elem=result)
        self.pass_anything(values[0], TENSOR)
        if short == "vjp":
            pulled = Value(Kind.TUPLE, items=tuple(_gradient_of(_shapeless(value)) for value in values[1:]))
            if name.startswith("torch.autograd.") or any(argument.keyword is not None for argument in node.args):
                return Value(Kind.TUPLE, items=(_shapeless(self.given_by(values[0])), UNKNOWN))
            return Value(Kind.TUPLE, items=(_shapeless(self.given_by(values[0])), Value(Kind.FUNCTION, elem=pulled)))
        if short == "linearize":
            result = _shapeless(self.given_by(values[0]))
            return Value(Kind.TUPLE, items=(result, Value(Kind.FUNCTION, elem=result)))
        if short == "jvp" and len(node.args) == 3:
            result = _shapeless(self.given_by(values[0]))
            return Value(Kind.TUPLE, items=(result, result))
        if short in ("hvp", "vhp"):
            return Value(Kind.TUPLE, items=(TENSOR, UNKNOWN))
        several = len(values) > 1 and values[1].kind is not Kind.TENSOR
        return UNKNOWN if several else TENSOR

    def not_repeatable(self) -> None:
        """What the function at hand does is not noted completely: it is evaluated in each round."""
        if self.current is not None:
            self.current.repeatable = False

    def not_portable(self) -> None:
        """What the function at hand does is evaluated in each round of normalization."""
        if self.current is not None:
            self.current.is_portable = False

    def given_by(self, function: Value) -> Value:
        found = [self.program.by_key[key].returns for key in sorted(function.types) if key in self.program.by_key]
        return join_all([item or UNKNOWN for item in found]) if found else function.elem or TENSOR

    def pass_anything(self, function: Value, value: Value) -> None:
        for key in sorted(function.types):
            found = self.program.by_key.get(key)
            for name in found.parameter_names[1 if found.is_method else 0 :] if found is not None else ():
                assert found is not None
                if name not in found.seen:
                    self.see(found, name, value)

    def transformed_call(self, function: Value, node: cst.Call, env: Env) -> Value:
        """A call of `vmap(f)` and its like: `f` is given the same arguments, with fewer axes perhaps."""
        self.not_repeatable()
        arguments = [_shapeless(self.expression(argument.value, env)) for argument in node.args]
        arguments = [TENSOR if value.kind is Kind.UNKNOWN else value for value in arguments]
        assert isinstance(function.const, _Transformed)
        for key in function.const.keys:
            found = self.program.by_key.get(key)
            if found is not None:
                self.pass_given(found, node.args, arguments, 1 if found.is_method else 0)
        return function.elem or UNKNOWN

    def differentiated(self, node: cst.Call, env: Env) -> Value:
        """`jax.vjp(lambda x: ..., x)`: the lambda is called once, with the values behind it."""
        self.not_repeatable()
        function, *others = (argument.value for argument in node.args if argument.keyword is None)
        assert isinstance(function, cst.Lambda)
        arguments = [self.expression(other, env) for other in others]
        inner = dict(env)
        for param, value in zip(_lambda_parameters(function.params), arguments, strict=True):
            inner[param.name.value] = value
            self.values.of_node[param.name] = value
        result = self.expression(function.body, inner)
        self.values.of_node[function] = Value(Kind.FUNCTION, elem=result)
        gradients = Value(Kind.TUPLE, items=tuple(_gradient_of(value) for value in arguments))
        pulled = Value(Kind.FUNCTION, elem=gradients)
        if any(argument.keyword is not None for argument in node.args) and result.items:
            return Value(Kind.TUPLE, items=(result.items[0], pulled, *result.items[1:]))
        return Value(Kind.TUPLE, items=(result, pulled))

    def structured(self, short: str, node: cst.Call, arguments: list[cst.Arg], env: Env) -> Value:
        """Control flow said with functions: `cond(p, f, g, x)`, `while_loop(f, g, start)`, `scan(f, start, xs)`."""
        self.not_repeatable()
        if isinstance(node.func, cst.Attribute) and self.values.torch_name(node.func) is None:
            self.note(node.func.value, PYTHON)
        given = [argument.value for argument in arguments if argument.keyword is None and not argument.star]
        for argument in arguments:
            if argument.keyword is not None or argument.star:
                self.expression(argument.value, env)
        if short == "cond" and len(given) >= 3:
            self.expression(given[0], env)
            operands = [self.expression(item, env) for item in given[3:]]
            branches = [self.applied(node, item, operands, env) for item in given[1:3]]
            return _either(branches[0], branches[1])
        if short == "where" and len(given) == 3:
            _, one, other = [self.expression(item, env) for item in given]
            return _either(one, other).but(kind=Kind.TENSOR, const=NOTHING, roots=frozenset())
        if short == "error_if" and given:
            checked, *_ = [self.expression(item, env) for item in given]
            return checked.but(roots=frozenset())
        if short == "while_loop" and len(given) >= 3:
            start = self.expression(given[2], env)
            carried = _either(start, self.applied(node, given[1], self.spread(node, start), env))
            self.applied(node, given[0], self.spread(node, carried), env)
            return carried
        if short == "scan" and len(given) >= 3:
            start, rows = (self.expression(item, env) for item in given[1:3])
            result = self.applied(node, given[0], [start, _row_of(rows)], env)
            if result.items is None or len(result.items) != 2:
                return UNKNOWN
            return Value(Kind.TUPLE, items=(_either(start, result.items[0]), _stacked(result.items[1])))
        for item in given:
            self.expression(item, env)
        return TENSOR if short == "associative_scan" else UNKNOWN

    def spread(self, node: cst.Call, start: Value) -> list[Value]:
        """What the functions of a loop are given: torch spreads the carried values, JAX gives them as one."""
        if self.values.torch_name(node.func) is not None and start.items is not None:
            return list(start.items)
        return [start]

    def applied(self, node: cst.Call, function: cst.BaseExpression, arguments: list[Value], env: Env) -> Value:
        """What a function gives that a call like `cond` calls with these arguments."""
        if isinstance(function, cst.Lambda):
            inner = dict(env)
            for param, value in zip(_lambda_parameters(function.params), arguments, strict=False):
                inner[param.name.value] = value
                self.note(param.name, value)
            result = self.expression(function.body, inner)
            self.note(function, Value(Kind.FUNCTION, elem=result))
            return result
        value = self.expression(function, env)
        found = [self.program.by_key[key] for key in sorted(value.types) if key in self.program.by_key]
        if value.kind is not Kind.FUNCTION or not found:
            return UNKNOWN
        for item in found:
            names = item.parameter_names[1 if item.is_method else 0 :]
            self.write(_add_caller, item, node)
            for name, argument in zip(names, arguments, strict=False):
                self.write(_Inference.see, item, name, argument.but(roots=frozenset()))
        self.values.callees[node] = tuple(dict.fromkeys((*self.values.callees.get(node, ()), *found)))
        return join_all([self.returned(item, node) for item in found])

    def normalized_call(self, node: cst.Call, env: Env) -> Value | None:
        """What `jax.vjp(f, x)` of a function of the program gives, and `jax.lax.stop_gradient`: gradients normalized before."""
        name = dotted(node.func) if isinstance(node.func, cst.Attribute) else None
        if name not in ("jax.vjp", "jax.lax.stop_gradient") or not node.args or "jax" in self.program.module_env:
            return None
        first, *others = [self.expression(argument.value, env) for argument in node.args if argument.keyword is None]
        if name == "jax.lax.stop_gradient":
            return (
                first
                if first.items is not None and not (is_own_gradient(node) and len(first.items) == 1)
                else self.made_anew(node, first)
            )
        found = [self.program.by_key[key] for key in sorted(first.types) if key in self.program.by_key]
        if first.kind is not Kind.FUNCTION or len(found) != 1:
            return None
        self.not_repeatable()
        self.pass_given(found[0], [argument for argument in node.args[1:] if argument.keyword is None], others, 0)
        pulled = Value(Kind.FUNCTION, elem=Value(Kind.TUPLE, items=tuple(_gradient_of(value) for value in others)))
        result = self.returned(found[0], node)
        if any(argument.keyword is not None for argument in node.args) and result.items:
            return Value(Kind.TUPLE, items=(result.items[0], pulled, *result.items[1:]))
        return Value(Kind.TUPLE, items=(result, pulled))

    def own_gradient(self, primal: cst.BaseExpression, halves: list[Value]) -> None:
        """The halves of a custom_vjp: the first takes what the function takes, the second what the first has kept."""
        self.not_repeatable()
        values = (self.values(primal), *halves)
        found = [self.program.by_key.get(key) for value in values for key in sorted(value.types)]
        if len(found) != 3 or None in found:
            return
        function, forward, backward = found
        assert function is not None and forward is not None and backward is not None
        self.keep_seen(forward)
        self.keep_seen(backward)
        for param in function.parameters:
            value = self.parameter_value(function, param)
            forward.seen[param.name.value] = value.but(roots=frozenset())
            if param.name.value in backward.parameter_names[:-2]:
                backward.seen[param.name.value] = value.but(roots=frozenset())
        results = forward.returns.items if forward.returns is not None else None
        if results is None or len(results) != 2 or len(backward.parameter_names) < 2:
            return
        *_, kept, gradient = backward.parameter_names
        backward.seen[kept] = results[1].but(roots=frozenset())
        result = results[0]
        like = [Value(Kind.TENSOR, item.rank, item.dtype) for item in result.items or (result,)]
        backward.seen[gradient] = Value(Kind.TUPLE, items=tuple(like)) if result.items else like[0]

    def construct(self, value: Value, node: cst.Call, arguments: list[Value], env: Env) -> Value:
        found: list[Function] = []
        for key in sorted(value.types):
            item = self.program.class_by_key[key]
            init = item.method("__init__")
            if init is not None:
                found.append(init)
                for name, given in arguments_by_parameter(init, node, self.values):
                    if self.ask(_Inference.evidence_of, init, name).kind is Kind.INT:
                        self.refine_size(given, env)
                self.pass_arguments(init, node, arguments, offset=1)
            elif item.is_dataclass:
                for argument in node.args:
                    if argument.keyword is not None:
                        self.set_field(item, argument.keyword.value, self.values(argument.value))
        self.note_callees(node, tuple(found))
        if value.types and all(is_own_optimizer(self.program.class_by_key[key]) for key in value.types):
            return self.optimizer(node, arguments).but(among=frozenset({GROUPED}))
        made = self.instance(value).but(sites=frozenset({self.site(node)}))
        return self.with_kept(made) if made.kind is Kind.OBJECT and made.elem is None else made

    def with_kept(self, made: Value) -> Value:
        """A new object, with the classes and functions that its methods are given anywhere."""
        (site,) = made.sites
        kept = self.stored_before.get(f"{MADE}{site}")
        if self.current is not None:
            self.current.stored[f"{MADE}{site}"] = kept
        return made.but(elem=kept)

    def refine_sizes(self, spec: LayerSpec, node: cst.Call, env: Env) -> None:
        """What is unknown and given to a layer as the size of something is an integer."""
        try:
            bound = bind(parse_signature(spec.signature), node.args)
        except BindError:
            return
        for name in _SIZES & bound.given.keys():
            argument = bound.one(name)
            if argument is not None:
                self.refine_size(argument, env)

    def refine_sizes_made(self, node: cst.Call, env: Env) -> None:
        """`torch.zeros(n + 1, k)`, `torch.ones((n, k))`: what is unknown and one of several sizes is an integer."""
        plain = [item for item in node.args if item.keyword is None]
        if len(plain) == 1 and isinstance(plain[0].value, (cst.Tuple, cst.List)) and not plain[0].star:
            elements = plain[0].value.elements
            sizes = [item.value for item in elements if not isinstance(item, cst.StarredElement)]
        else:
            sizes = [item.value for item in plain if not item.star] if len(plain) > 1 else []
        for size in sizes:
            self.refine_size(size, env)

    def refine_size(self, node: cst.BaseExpression, env: Env) -> None:
        """Take a name, or the names that an integer is computed from, for integers."""
        for leaf in _operands(node):
            if isinstance(leaf, cst.Name) and self.values(leaf).kind is Kind.UNKNOWN:
                self.refine(leaf, INT, env)

    def instance(self, value: Value) -> Value:
        module = any(self.program.class_by_key[key].is_module for key in value.types)
        if module:
            return Value(Kind.MODULE, types=value.types)
        for key in value.types:
            item = self.program.class_by_key[key]
            if any(
                str(base.const).startswith((datasets.DATA, datasets.DATASETS))
                for base in item.bases
                if base.kind is Kind.TORCH
            ):
                getter = item.method("__getitem__")
                return Value(Kind.OBJECT, types=value.types, elem=self.result_of(getter) if getter else None)
        return Value(Kind.OBJECT, types=value.types)

    def classes_of(self, value: Value) -> list[Class]:
        if value.kind not in (Kind.MODULE, Kind.OBJECT):
            return []
        return [self.program.class_by_key[key] for key in sorted(value.types) if key in self.program.class_by_key]

    def pass_arguments(self, function: Function, node: cst.Call, arguments: list[Value], offset: int) -> None:
        self.write(_add_caller, function, node)
        self.pass_given(function, node.args, arguments, offset)

    def pass_given(self, function: Function, given: Sequence[cst.Arg], arguments: Sequence[Value], offset: int) -> None:
        """Note for its parameters what a function is given."""
        self.ask(_Inference.head_of, function)
        parameters = function.parameters
        keyword_only = len(function.node.params.kwonly_params)
        positional = parameters[offset : len(parameters) - keyword_only if keyword_only else None]
        rest = [param.name.value for param in positional]
        for argument, value in zip(given, arguments, strict=True):
            if argument.star == "**":
                self.pass_value(function, _ANY, value)
                return
            if argument.keyword is not None or not argument.star:
                next_name = rest.pop(0) if rest and argument.keyword is None else function.star_name
                name = argument.keyword.value if argument.keyword is not None else next_name
                if argument.keyword is not None and name not in function.parameter_names:
                    name = function.double_star_name
                if (
                    name is not None
                    and not self.is_awaited(argument.value)
                    and not self.is_handed_on(function, name, argument.value)
                ):
                    self.pass_value(function, name, value)
            elif value.items is not None:
                for item in value.items:
                    self.pass_value(function, rest.pop(0) if rest else function.star_name, item)
            elif (element := value.element()).kind is Kind.UNKNOWN:
                self.pass_value(function, _ANY, element)
                return
            else:  # as many as there are
                for name in (*rest, function.star_name):
                    self.pass_value(function, name, element)
                rest = []
        named = {argument.keyword.value for argument in given if argument.keyword is not None}
        left = {*rest, *(param.name.value for param in parameters[len(parameters) - keyword_only :])} - named
        for param in parameters[offset:]:
            if param.name.value in left and param.default is not None:
                self.pass_default(function, param, param.default)

    def pass_default(self, function: Function, param: cst.Param, default: cst.BaseExpression) -> None:
        """Note the class, layer or function that a parameter is where it is not given: others may give it another one."""
        if isinstance(default, (cst.Name, cst.Attribute)):
            is_here = function.node in self.program.functions
            file = None if is_here else self.program.modules.get(function.place)  # none for one of the round before
            module = self.program if file is None else file
            value = self.expression(default, dict(module.module_env))
            if value.types and value.kind in (Kind.CLASS, Kind.FUNCTION, Kind.TORCH):
                self.pass_value(function, param.name.value, value)

    def is_handed_on(self, function: Function, name: str | None, argument: cst.BaseExpression) -> bool:
        """Whether a function calls itself with what it was given for a parameter: that tells nothing new of it."""
        if not isinstance(argument, cst.Name) or argument.value != name or function.star_name == name:
            return False
        if self.program.function_around(argument) is not function:
            return False
        bound = self.program.definitions.bound_once(argument)
        return bound is not None and bound.how is How.PARAMETER

    def pass_value(self, function: Function, name: str | None, value: Value) -> None:
        if name is not None:
            self.write(_Inference.see, function, name, value if _is_passed_on(value) else value.but(roots=frozenset()))

    def refine_arguments(self, value: Value, node: cst.Call, arguments: list[Value], env: Env) -> None:
        """What is unknown and given to a parameter annotated as a tensor is taken for one."""
        places = [
            place for place, item in enumerate(arguments) if item.kind is Kind.UNKNOWN and not node.args[place].star
        ]
        function = self.program.by_key.get(next(iter(value.types))) if places and len(value.types) == 1 else None
        if function is None or function.node not in self.program.functions:
            return
        annotations = {param.name.value: param.annotation for param in function.parameters}
        given = {argument: name for name, argument in arguments_by_parameter(function, node, self.values)}
        for place in places:
            argument = node.args[place].value
            name = given.get(argument, "")
            annotation, used = annotations.get(name), self.ask(_Inference.evidence_of, function, name)
            if annotation is not None:
                used = self.annotation_value(annotation.annotation)
            if used.kind is Kind.TENSOR:
                arguments[place] = self.refine_computed(argument, env)

    def program_call(self, value: Value, node: cst.Call, arguments: list[Value]) -> Value:
        results: list[Value] = []
        functions = [self.program.by_key[key] for key in sorted(value.types) if key in self.program.by_key]
        reached: list[Function] = []
        self.keep_in_object(node.func, arguments)
        for function in functions:
            bound = function.is_method and not isinstance(self.values(node.func).elem, type(None))
            by_class = function.is_method and not bound and isinstance(node.func, cst.Attribute)
            offset = 1 if function.is_method and (bound or not by_class) else 0
            self.pass_arguments(function, node, arguments, offset)
            others = tuple(self.overriding(function, value))
            is_left = bool(others) and self.is_left_to_subclasses(function)
            for other in others:
                if is_left:
                    self.write(_add_caller, other, node)
                self.pass_given(other, node.args, arguments, offset)
            module = self.same_module(function, node)
            chosen = self.chosen_argument(function, node) if module is None else None
            result = module or chosen or self.returned(function, node)
            if not is_left:
                results.append(self.with_copies(result, function, node))
            results += [self.with_copies(self.returned(other, node), other, node) for other in others]
            gives_module = any(other.returns is not None and other.returns.kind is Kind.MODULE for other in others)
            reached += others if is_left else [function, *others] if gives_module else [function]
        self.note_callees(node, tuple(reached))
        if not functions and isinstance(value.const, _Lambda):
            return self.outside(self.lambda_call(value.const.node, node.args, arguments), node)
        if isinstance(value.const, Partial) and not functions:
            known = [self.program.by_key[key] for key in sorted(value.const.keys) if key in self.program.by_key]
            self.values.partials[node] = tuple(known)
            if self.current is not None:
                self.current.partials[node] = tuple(known)
            for function in known:
                if value.const.given is None:
                    self.pass_value(function, _ANY, UNKNOWN)
                else:
                    self.pass_given(function, node.args, arguments, value.const.given + function.is_method)
            return join_all([self.returned(function, node, is_direct=False) for function in known])
        if not functions and value.elem is not None and value.elem.kind is Kind.MODULE:
            among = value.elem.among | self.may_be_inplace(value.elem, node.args)
            return self.outside(value.elem.but(among=among), node)
        if not functions:
            return (
                self.fresh(node, value.elem)
                if value.elem is not None and datasets.copies(value)
                else value.elem or UNKNOWN
            )
        return self.among_kept(value.elem, join_all(results))

    def same_module(self, function: Function, node: cst.Call) -> Value | None:
        """The module that a function is given and gives back: `model = train(model)`."""
        name = self.ask(_Inference.parameter_returned, function)
        if name is None:
            return None
        for parameter, argument in arguments_by_parameter(function, node, self.values):
            if parameter == name and self.values(argument).kind is Kind.MODULE:
                return self.values(argument)
        return None

    def chosen_argument(self, function: Function, node: cst.Call) -> Value | None:
        """What a function gives that chooses one of the arguments of a call: `default(noise, lambda: torch.randn_like(x))`."""
        choices = self.ask(_Inference.parameters_chosen, function)
        given = dict(arguments_by_parameter(function, node, self.values)) if choices else {}
        if not choices or any(item.star for item in node.args) or any(name not in given for name, _ in choices):
            return None
        found: list[Value] = []
        for name, is_made in sorted(choices):
            value = self.values(given[name])
            if value.kind in (Kind.UNKNOWN, Kind.CLASS, Kind.TORCH) or (value.kind is Kind.FUNCTION and value.types):
                return None
            if value.kind is not Kind.FUNCTION:
                is_there = self.ask(_Inference.gives_present, function, name)
                found += [] if is_made else [value.but(optional=value.optional and not is_there)]
            elif is_made:
                found.append(value.elem or UNKNOWN)
            elif (name, True) not in choices:
                return None
        return join_all(found) if found else None

    def with_copies(self, result: Value, function: Function, node: cst.Call) -> Value:
        """A list of copies of the module that this call passes: `clones(nn.Linear(4, 4), 2)`."""
        name = self.ask(_Inference.parameter_copied, function)
        given = dict(arguments_by_parameter(function, node, self.values)) if name is not None else {}
        copied = self.values(given[name]) if name is not None and name in given else UNKNOWN
        if copied.kind is not Kind.MODULE or result.kind not in (Kind.MODULE, Kind.LIST) or result.elem is None:
            return result
        return result.but(elem=copied.but(sites=frozenset({self.site(node)}), roots=frozenset()))

    def returned(self, function: Function, node: cst.Call, *, is_direct: bool = True) -> Value:
        """What a call of a function of the program gives (not `is_direct`: of which it says only some of the arguments)."""
        result = self.result_of(function)
        if result is None:
            return _AWAITED if function.node in self.program.functions else UNKNOWN
        value = result
        if value.kind is Kind.NONE and self.ask(_Inference.yields, function):
            return UNKNOWN
        if function.node.asynchronous is not None:
            return UNKNOWN
        if function.key in self.gives:
            is_normalized = function.node in self.program.functions or (RESTATED_CALLS,) in self.program.marks
            value = self.given_back(function, value, node) if is_normalized else self.kept_back(function, value)
        return self.outside(value, node, function, given=self.roots_given(function, node, is_direct=is_direct))

    def roots_given(self, function: Function, node: cst.Call, *, is_direct: bool) -> Mapping[str, frozenset[str]]:
        """Where the tensors come from that a call gives for parameters: none of what is left to a default that is no tensor."""
        given = dict(arguments_by_parameter(function, node, self.values))
        if not is_direct or any(item.star for item in node.args):
            return {name: self.values(item).roots | {"*"} for name, item in given.items()}
        found: dict[str, frozenset[str]] = {}
        for param in function.parameters:
            name = param.name.value
            value = self.values(given[name]) if name in given else self.default_value(param)
            if value is not None and value.kind in WITHOUT_TENSORS:
                found[name] = frozenset()
            elif value is not None and name in given:
                found[name] = value.roots if value.kind is Kind.TENSOR and value.roots else value.roots | {"*"}
        return found

    def kept_back(self, function: Function, result: Value) -> Value:
        """What a function of another file, which returns some of its arguments, has returned before it did."""
        form = self.gives[function.key][0]
        if form == "alone":
            return NONE
        value = result if form == "same" else result.items[-1] if result.items else UNKNOWN
        roots = (
            f"param:{root.removeprefix('new:param:')}" if root.startswith("new:param:") else root
            for root in value.roots
        )
        return value.but(roots=frozenset(roots))

    def given_back(self, function: Function, result: Value, node: cst.Call) -> Value:
        """The result of a function that returns some of its arguments: these have kept their kinds."""
        form, *names = self.gives[function.key]
        arguments = dict(arguments_by_parameter(function, node, self.values))
        given = [self.values(arguments[name]) if name in arguments else TENSOR for name in names]
        items = tuple(item.but(roots=frozenset({f"new:param:{name}"})) for item, name in zip(given, names, strict=True))
        if form == "front":
            items = (*items, result.items[-1] if result.items else UNKNOWN)
        return items[0] if len(items) == 1 else Value(Kind.TUPLE, items=items)

    def outside(
        self,
        value: Value,
        node: cst.Call,
        function: Function | None = None,
        before: list[frozenset[str]] | None = None,
        given: Mapping[str, frozenset[str]] | None = None,
        place: int | None = None,
    ) -> Value:
        """A result as its caller sees it (`before`: the roots of what comes before it in a container, in which it has a
        `place`; `given`: those of what is passed for parameters, where that is known).
        """
        if (itself := self.given_itself(value, node, function)) is not None:
            return itself
        if value.kind is Kind.MODULE:
            return _without_sites(value).but(sites=frozenset({self.site(node)}))
        if value.kind is Kind.TENSOR or (value.kind is Kind.UNKNOWN and value.roots):
            captured, around = value.roots & self.roots_around(function), self.made_around(value.roots, function)
            shared = bool(around) or any(not root.startswith("new:") for root in value.roots)
            made = value.but(roots=frozenset({f"new:{self.number(node if place is None else (node, place))}"}))
            return self.with_given(value, made, captured, around, given or {}) if shared or captured else made
        if value.kind is Kind.OPTIMIZER and function is not None and value.items:
            return self.of_what_is_given(value, node, function)
        if value.items is not None:
            before = [] if before is None else before
            return value.but(items=self.outside_together(value.items, node, function, before, given))
        return value

    def given_itself(self, value: Value, node: cst.Call, function: Function | None) -> Value | None:
        """What a method that gives its own object gives: that is of the class that the caller knows, `net = net.load(path)`."""
        if (
            function is None
            or not function.is_method
            or value.roots != {"self"}
            or not isinstance(node.func, cst.Attribute)
        ):
            return None
        receiver = self.values(node.func.value)
        return (
            receiver
            if receiver.kind is value.kind and value.is_a(Kind.MODULE, Kind.OBJECT) and receiver.types
            else None
        )

    def made_around(self, roots: frozenset[str], function: Function | None) -> frozenset[str]:
        """The roots of tensors that have been made outside of a function: it has them in a container, or by a name."""
        if function is None:
            return frozenset()
        found = set[str]()
        for root in roots:
            number = root.removeprefix("new:")
            place = self.places.get(int(number)) if number.isdecimal() else None
            if place in self.program.index.parents and function.node not in self.program.index.ancestors(place):
                found.add(root)
        return frozenset(found)

    def with_given(
        self,
        value: Value,
        made: Value,
        captured: frozenset[str],
        around: frozenset[str],
        given: Mapping[str, frozenset[str]],
    ) -> Value:
        """A tensor that a call has made, or one of those that it passes, or a part of one, or one that comes from elsewhere."""
        names = {root.removeprefix("param:") for root in value.roots if root.startswith("param:")}
        passed = frozenset[str]().union(*(given[name] for name in names if name in given))
        is_known = all(root.startswith(("new:", "param:")) for root in value.roots) and names <= given.keys()
        if captured or not is_known:
            return value.but(roots=frozenset({"*"}).union(captured, passed))
        if "*" in passed:
            return value.but(roots=passed | around)
        passed |= around
        is_made = not passed or any(root.startswith("new:") for root in value.roots - around)
        return made.but(roots=passed | made.roots) if is_made else made.but(roots=passed)

    def of_what_is_given(self, optimizer: Value, node: cst.Call, function: Function) -> Value:
        """An optimizer that a function makes for the modules that it is given trains those of this call."""
        given = {f"param:{name}": item for name, item in arguments_by_parameter(function, node, self.values)}
        items: list[Value] = []
        for part in optimizer.items or ():
            argument = given.get(next(iter(part.roots))) if len(part.roots) == 1 else None
            if argument is not None and self.values(argument).kind is Kind.MODULE:
                part = part.but(sites=self.values(argument).sites, roots=self.parameter_root(argument))
            items.append(part)
        return optimizer.but(items=tuple(items), sites=frozenset[int]().union(*(part.sites for part in items)))

    def parameter_root(self, node: cst.BaseExpression) -> frozenset[str]:
        """Which parameter of the function around it an expression is, if it is just that."""
        bound = self.program.definitions.only(node) if isinstance(node, cst.Name) else None
        is_parameter = bound is not None and bound.how is How.PARAMETER
        return frozenset({f"param:{node.value}"}) if isinstance(node, cst.Name) and is_parameter else frozenset()

    def roots_in(self, function: Function) -> frozenset[str]:
        return frozenset[str]().union(*(item.roots for item in function.env.values() if item.kind is Kind.TENSOR))

    def roots_around(self, function: Function | None) -> frozenset[str]:
        """Where the tensors come from that the variables of the functions around one hold."""
        found = frozenset[str]()
        names = frozenset(function.parameter_names) if function is not None else frozenset()
        outer = function.outer if function is not None else None
        while outer is not None:
            found |= self.ask(_Inference.roots_in, outer)
            outer = outer.outer
        return found - {f"param:{name}" for name in names}

    def outside_together(
        self,
        items: Sequence[Value],
        node: cst.Call,
        function: Function | None,
        before: list[frozenset[str]],
        given: Mapping[str, frozenset[str]] | None,
    ) -> tuple[Value, ...]:
        """The items of a result; an optimizer that stands beside its module stays with it."""
        found: list[Value] = []
        for position, item in enumerate(items):
            first = next((place for place, roots in enumerate(before) if roots & item.roots), len(before))
            value = self.outside(item, node, function, before, given, first if item.roots else None)
            if value.kind is Kind.MODULE and self.given_itself(item, node, function) is None:
                value = value.but(sites=frozenset({self.number((node, position))}))
            if item.items is None:
                before.append(item.roots)
            found.append(value)
        for position, item in enumerate(items):
            if item.kind is Kind.OPTIMIZER:
                modules = {
                    old.sites: new.sites for old, new in zip(items, found, strict=True) if old.kind is Kind.MODULE
                }
                trained = [part.but(sites=modules.get(part.sites, part.sites)) for part in item.items or ()]
                sites = frozenset[int]().union(*(part.sites for part in trained))
                found[position] = item.but(items=tuple(trained), sites=sites)
        return tuple(found)

    def module_call(self, value: Value, node: cst.Call, arguments: list[Value], env: Env) -> Value:
        for argument in node.args:
            if not argument.star and not argument.keyword:
                self.refine(argument.value, TENSOR, env)
        results: list[Value] = []
        functions: list[Function] = []
        for name in sorted(value.types):
            item = self.program.class_by_key.get(name)
            if item is not None:
                forward = item.method("forward")
                if forward is not None:
                    functions.append(forward)
                    self.pass_arguments(forward, node, arguments, offset=1)
                    results.append(self.returned(forward, node))
            elif name == "torch.nn.Sequential":
                results.append(self.sequential_result(value, node))
            elif name in self.tables.layers:
                result = self.layer_result(self.tables.layers[name], node)
                if value.const == "indices":
                    result = Value(Kind.TUPLE, items=(result, result.but(dtype="int64")))
                elif value.const == "typed":
                    result = _of_any_float(result)
                results.append(result)
        self.note_callees(node, tuple(functions))
        return join_all(results) if results else self.fresh(node, TENSOR)

    def sequential_result(self, value: Value, node: cst.Call) -> Value:
        current = self.values(node.args[0].value) if node.args else TENSOR
        roots = self.roots_behind(value, current.roots if current.kind is Kind.TENSOR else frozenset({"*"}))
        if not value.items:
            return self.fresh(node, TENSOR) if roots is None else Value(Kind.TENSOR, roots=frozenset({"*"}))
        for item in value.items:
            current = self.member_result(item, current, node)
        if current.kind is not Kind.TENSOR:
            return current
        return self.fresh(node, current) if roots is None else current.but(roots=roots)

    def roots_behind(self, member: Value, roots: frozenset[str] | None) -> frozenset[str] | None:
        """Where the tensor comes from that a layer, also a Sequential of some, gives for one from `roots`; None for a new one."""
        if member.types != {"torch.nn.Sequential"}:
            passing = self.passing(member)
            is_layer = all(name in self.tables.layers or self.hands_on(name) for name in passing)
            return None if not passing else roots if is_layer else (roots or frozenset()) | {"*"}
        for item in member.items or ():
            roots = self.roots_behind(item, roots)
        if member.items:
            return roots
        passing = self.passing(member.elem) if member.elem is not None and member.elem.types else ["?"]
        begins_new = member.const in (NEW_FIRST, NAMED_NEW_FIRST)
        is_new = begins_new and all(name in self.tables.layers for name in passing)
        return None if is_new or not passing else (roots or frozenset()) | {"*"}

    def passing(self, member: Value) -> list[str]:
        """The classes of a layer that may hand on what they are given, or something that they hold."""
        if member.types == {"torch.nn.Sequential"}:
            return [] if self.roots_behind(member, frozenset()) is None else ["torch.nn.Sequential"]
        layers = self.tables.layers.keys() if INPLACE in member.among else frozenset[str]()
        return [name for name in sorted(member.types) if name in layers or not self.makes_new(name)]

    def makes_new(self, name: str) -> bool:
        """Whether layers of a class give a tensor of their own that nothing else holds, whatever they are called with."""
        if name not in self.program.class_by_key:
            spec = self.tables.layers.get(name)
            return name != "torch.nn.Sequential" and (spec is None or spec.view is None)
        roots = self.roots_out_of(name)
        return bool(roots) and is_new(roots)

    def hands_on(self, name: str) -> bool:
        """Whether modules of a class of the program give what they are given, or something new: an `Identity` of its own."""
        item = self.program.class_by_key.get(name)
        forward = item.method("forward") if item is not None else None
        given = {f"param:{param.name.value}" for param in forward.parameters[1:2]} if forward is not None else set()
        roots = self.roots_out_of(name)
        return bool(roots) and (roots <= given or is_new(roots - given))

    def roots_out_of(self, name: str) -> frozenset[str]:
        """Where the tensor comes from that modules of a class of the program give, if they keep nothing in fields."""
        item = self.program.class_by_key.get(name)
        forward = item.method("forward") if item is not None else None
        result = self.result_of(forward) if forward is not None else None
        if forward is None or result is None or result.kind is not Kind.TENSOR:
            return frozenset()
        kept = (node.target for node in own_nodes(forward.node) if isinstance(node, cst.AssignTarget))
        return frozenset() if any(isinstance(target, cst.Attribute) for target in kept) else result.roots

    def member_result(self, member: Value, argument: Value, node: cst.Call) -> Value:
        placeholder = cst.Name("x")
        self.note(placeholder, argument)
        call = cst.Call(cst.Name("layer"), [cst.Arg(placeholder)])
        if len(member.types) == 1:
            (name,) = member.types
            if name in self.tables.layers:
                result = self.layer_result(self.tables.layers[name], call)
                return _of_any_float(result) if member.const == "typed" else result
        return TENSOR

    def layer_result(self, spec: LayerSpec, node: cst.Call) -> Value:
        signature = parse_signature(spec.forward)
        try:
            bound = bind(signature, node.args)
        except BindError:
            return TENSOR
        facts = Facts(signature, bound, self.values)
        value = result_value(spec.result, facts)
        value = _of_any_float(value) if self.has_casts else value
        return self.fresh(node, value) if spec.view is None else self.viewed(value, facts, spec.view)

    def viewed(self, value: Value, facts: Facts, view: str) -> Value:
        roots = facts.value(view).roots or frozenset({"*"})
        if value.items is not None:
            return value.but(items=tuple(item.but(roots=roots) for item in value.items))
        if value.elem is not None:
            return value.but(elem=value.elem.but(roots=roots))
        return value.but(roots=roots) if value.kind is Kind.TENSOR else value

    def object_call(self, value: Value, node: cst.Call, arguments: list[Value]) -> Value:
        results, functions = [], []
        for item in self.classes_of(value):
            method = item.method("__call__")
            if method is not None:
                functions.append(method)
                self.pass_arguments(method, node, arguments, offset=1)
                results.append(self.returned(method, node))
        self.note_callees(node, tuple(functions))
        return join_all(results) if results else UNKNOWN

    def is_left_out(self, name: str, node: cst.Call, env: Env) -> bool:
        """Whether a context of mixed precision goes, perhaps with a question that the running program answers."""
        kind = device_type(node, name)
        if isinstance(kind, cst.Attribute) and kind.attr.value == "type":
            self.refine(kind.value, Value(Kind.DEVICE), env)
        parents = self.program.index.parents
        if changes_nothing(node, name, self.values, parents):
            return True
        return not isinstance(parents.get(node), cst.Decorator) and is_open(node, name, self.values, parents)

    def torch_call(self, name: str, node: cst.Call, arguments: list[Value], env: Env) -> Value:
        if name in CONTAINERS:
            return self.container(name, node, arguments)
        if name in _MADE_OF_SIZES:
            self.refine_sizes_made(node, env)
        if name in self.tables.layers:
            self.refine_sizes(self.tables.layers[name], node, env)
            const, among = self.changes_argument(name, node)
            signature = self.tables.layers[name].signature
            if "return_indices" in signature and self.layer_argument(name, node, "return_indices").const is True:
                const = "indices"
            if "dtype" in signature and self.layer_argument(name, node, "dtype").kind is not Kind.NONE:
                const = "typed"
            sites = frozenset({self.site(node)})
            return Value(Kind.MODULE, types=frozenset({name}), sites=sites, const=const, among=among)
        if name in EINOPS_LAYERS:
            return Value(Kind.MODULE, types=frozenset({name}), sites=frozenset({self.site(node)}))
        gradient = gradient_below(name, arguments[0] if arguments else None)
        is_idle = name in KERNEL_CHOICES
        if name in AUTOCASTS:
            is_idle |= self.is_left_out(name, node, env)
        if gradient is not None or is_idle:
            return Value(Kind.CONTEXT, const=name, types=frozenset({gradient} if gradient is not None else ()))
        if name in ("torch.nn.Parameter", "torch.nn.Buffer") and arguments:
            types = {"buffer"} if name == "torch.nn.Buffer" else {"parameter"}
            if name == "torch.nn.Parameter" and self.is_made_frozen(node):
                types = {"buffer", "frozen"}
            value = arguments[0] if arguments[0].kind is Kind.TENSOR else TENSOR
            return self.fresh(node, value.but(types=frozenset(types)))
        if name == "torch.device":
            return Value(Kind.DEVICE, const=arguments[0].const if arguments else NOTHING)
        if name.startswith("torch.optim.lr_scheduler."):
            optimizer = arguments[0] if arguments and arguments[0].kind is Kind.OPTIMIZER else UNKNOWN
            return Value(Kind.SCHEDULER, types=optimizer.types)
        if is_optimizer(name):
            return self.optimizer(node, arguments)
        if name.startswith(datasets.DATA):
            return self.data_call(name, node, arguments)
        if name == _WRITER:
            return Value(Kind.PYTHON, const=name)
        if name.startswith(datasets.VISION):
            if name.endswith(".Lambda") and arguments and self.stands_behind_tensors(node):
                self.called_with_tensor(arguments[0])
            return datasets.vision_call(name, datasets.Given(node, arguments))
        if name in ("torch.load", "torch.hub.load_state_dict_from_url", "safetensors.torch.load_file"):
            return self.loaded(node)
        if name == "torch.Generator":
            return Value(Kind.GENERATOR)
        spec = self.tables.functions.get(name)
        if spec is None:
            in_place = name.endswith("_") and arguments and arguments[0].kind is Kind.TENSOR
            return arguments[0] if in_place else UNKNOWN
        if spec.same is not None and not spec.signature:
            return PYTHON
        self.tensor_arguments(spec, node, env)
        if name.endswith("Tensor") and len(node.args) > 1:  # torch.Tensor(2, 3): sizes, nothing else
            for argument in node.args:
                if argument.keyword is None and not argument.star:
                    self.refine(argument.value, INT, env)
        out = next((item.value for item in node.args if item.keyword is not None and item.keyword.value == "out"), None)
        if out is not None:
            return self.filled(out, env)
        result = self.call_result(spec, node, None)
        is_class = class_dtype(name) is not None or name == "torch.Tensor"
        if is_class:
            if result.kind is Kind.UNKNOWN and arguments:  # of sizes or of values, which is not known
                result = self.fresh(node, Value(Kind.TENSOR, dtype=class_dtype(name) or "float32"))
            result = _of_argument(result, arguments)
            if len(arguments) == 1 and arguments[0].kind is Kind.UNKNOWN and self.is_filled_at_once(node):
                result = self.fresh(node, result)  # nobody fills what is made of values
        is_shared = (is_class or name in _OF_ARRAYS) and "*" in result.roots and bool(node.args)
        if is_shared and (arguments[0].is_sequence or self.makes_array(node.args[0].value)):
            result = self.fresh(node, result)
        if result.kind is Kind.TORCH_OBJECT:
            self.share(node, arguments, env)
        if result.kind is Kind.TENSOR and self.values.keyword_is_true(node, "requires_grad"):
            result = result.but(types=frozenset({"leaf"}))
        if result.kind is Kind.TENSOR and self.is_made_empty(name, node, arguments):
            result = result.but(types=result.types | {EMPTY})
        return result

    def empty_by_default(self, node: cst.Call, env: Env) -> Value | None:
        """What `defaultdict(torch.Tensor)` holds: nobody knows what, but a tensor without elements for a key not seen before."""
        match node.args:
            case [cst.Arg(value=cst.Lambda(body=body))] if EMPTY in self.expression(body, env).types:
                return Value(Kind.UNKNOWN, types=frozenset({EMPTY}))
        return None

    def is_filled_at_once(self, node: cst.Call) -> bool:
        """Whether what a call makes is overwritten where it stands: `torch.Tensor(n).uniform_()`."""
        parent = self.program.index.parents.get(node)
        return (
            isinstance(parent, cst.Attribute)
            and parent.attr.value in _OVERWRITING
            and isinstance(self.program.index.parents.get(parent), cst.Call)
        )

    def makes_array(self, node: cst.BaseExpression) -> bool:
        """Whether an expression gives a NumPy array with memory of its own, if it gives one: `np.zeros(3).astype(np.float32)`."""
        match node:
            case cst.BinaryOperation() | cst.UnaryOperation(operator=cst.Minus()):
                return True
            case cst.Call(args=args) if any(item.keyword is not None and item.keyword.value == "copy" for item in args):
                return False
            case cst.Call(func=cst.Attribute(attr=cst.Name("astype" | "copy"))):
                return True
            case cst.Call(func=cst.Attribute(value=array, attr=cst.Name("reshape" | "transpose" | "squeeze"))):
                return self.makes_array(array)
            case cst.Call(func=func):
                name = str(self.values(func).const)
                return name.startswith("numpy.random.") or name in NEW_ARRAYS
        return False

    def is_made_empty(self, name: str, node: cst.Call, arguments: list[Value]) -> bool:
        """`torch.tensor([])`, `torch.Tensor()`, `torch.zeros(0)`."""
        given = [
            value for value, item in zip(arguments, node.args, strict=True) if item.keyword is None and not item.star
        ]
        is_class = name == "torch.Tensor" or class_dtype(name) is not None
        if not given:
            return is_class and not node.args
        if name in _MADE_OF_SIZES:
            sizes = (given[0].const,) if len(given) == 1 and given[0].items is None else given[0].const
            return sizes in ((0,), [0])
        return (is_class or name in ("torch.tensor", "torch.as_tensor")) and given[0].items == ()

    def filled(self, place: cst.BaseExpression, env: Env) -> Value:
        """What a call with `out=place` leaves there: the tensor with its dtype, perhaps of another shape."""
        value = self.values(place)
        if value.kind is not Kind.TENSOR:
            return UNKNOWN
        if isinstance(place, cst.Name):
            env[place.value] = value.but(rank=None)
        return value.but(rank=None)

    def layer_argument(self, name: str, node: cst.Call, parameter: str) -> Value:
        """The value given to a parameter of a layer; None if it is not given, unknown if that cannot be seen."""
        try:
            given = bind(parse_signature(self.tables.layers[name].signature), node.args).one(parameter)
        except BindError:
            return UNKNOWN
        return self.values(given) if given is not None else NONE

    def share(self, node: cst.Call, arguments: list[Value], env: Env) -> None:
        """The variables given to an object that keeps them: it would see them change."""
        for argument, value in zip(node.args, arguments, strict=True):
            if value.kind is Kind.TENSOR and isinstance(argument.value, cst.Name):
                env[argument.value.value] = value.but(roots=value.roots | {"*"})

    def is_made_frozen(self, node: cst.Call) -> bool:
        """`nn.Parameter(data, requires_grad=False)`."""
        flag = parameter_flag(node)
        return flag is not None and self.values(flag).const is False

    def tensor_arguments(self, spec: FunctionSpec, node: cst.Call, env: Env) -> None:
        parameters = parse_signature(spec.signature).parameters
        if parameters and parameters[0].name in ("input", "self", "tensor") and node.args and not node.args[0].star:
            if parameters[0].name == "input" or spec.name.startswith("torch.nn.init."):
                self.refine(node.args[0].value, TENSOR, env)

    def call_result(self, spec: FunctionSpec, node: cst.Call, receiver: cst.BaseExpression | None) -> Value:
        signature = parse_signature(spec.signature)
        try:
            bound = bind(signature, node.args, receiver)
        except BindError:
            return TENSOR if spec.result is None else UNKNOWN
        facts = Facts(signature, bound, self.values)
        value = result_value(spec.result, facts)
        if value.kind is Kind.TENSOR and value.types:
            value = value.but(types=frozenset())
        if _is_weak_call(spec, facts, value):
            value = value.but(types=frozenset({"weak"}))
        if spec.view is not None and value.kind is Kind.TENSOR and spec.name in _REPEATING:
            return self.viewed(value, facts, spec.view).but(types=value.types | {"repeated"})
        if spec.view is not None and not _drops(signature, facts):
            return self.viewed(value, facts, spec.view)
        if value.items is not None:
            items = enumerate(value.items)
            return value.but(items=tuple(self.fresh(node, item, place) for place, item in items))
        return self.fresh(node, value)

    def spec_result(self, spec: FunctionSpec, given: dict[str, cst.BaseExpression], base: Value) -> Value:
        from torch2jax.ops.signatures import BoundArguments

        facts = Facts(parse_signature(spec.signature), BoundArguments(dict(given)), self.values)
        value = result_value(spec.result, facts)
        return self.viewed(value, facts, spec.view) if spec.view else value

    def container(self, name: str, node: cst.Call, arguments: list[Value]) -> Value:
        site = frozenset({self.site(node)})
        base = Value(Kind.MODULE, types=frozenset({name}), sites=site)
        if name == "torch.nn.ModuleDict" and (entries := _entries(node.args[0].value if node.args else None)):
            return base.but(
                items=tuple(self.values(value) for _, value in entries), const=tuple(key for key, _ in entries)
            )
        if name in ("torch.nn.ParameterList", "torch.nn.ParameterDict"):
            return base.but(elem=TENSOR.but(roots=frozenset({PARAMETER_ROOT})))
        if name == "torch.nn.Sequential":
            starred = any(argument.star for argument in node.args)
            if len(arguments) == 1 and arguments[0].kind is Kind.DICT and not starred:
                member = arguments[0].element()
                table = node.args[0].value
                prefixes = named_elements(self.program.index, table)
                named = self.leading(prefixes) or [member]
                may = frozenset[str]().union(*(changes_first([item]) for item in named))
                is_new = all(prefix.items for prefix in prefixes) and all(map(self.is_new_layer, named))
                return base.but(elem=member, const=NAMED_NEW_FIRST if is_new else NAMED, among=may)
            if starred:
                parts = [
                    self.element_of(value) if argument.star else value
                    for argument, value in zip(node.args, arguments, strict=True)
                ]
                only = arguments[0] if len(arguments) == 1 else None
                if only is not None and only.items is not None:
                    return base.but(items=only.items, among=changes_first(only.items))
                if (items := self.unrolled_layers(node)) is not None:
                    return base.but(items=items, among=changes_first(items))
                firsts = self.firsts_of(node.args[0]) or parts[:1]
                is_new = all(item.types and not self.passing(item) for item in firsts)
                among = frozenset[str]().union(*(changes_first([item]) for item in firsts))
                return base.but(elem=join_all(parts), among=among, const=NEW_FIRST if is_new else NOTHING)
            return base.but(items=tuple(arguments), among=changes_first(arguments))
        if name == "torch.nn.ModuleList" and self.begins_new(node):
            base = base.but(const=NEW_FIRST)
        if arguments:
            first = arguments[0]
            if first.kind is Kind.DICT:
                return base.but(elem=first.elem)
            if name == "torch.nn.ModuleDict":
                return base.but(elem=_ordered_dict(node, arguments).elem)
            if first.items is not None:
                return base.but(items=first.items) if first.items else base
            return base.but(elem=self.element_of(first))
        return base

    def begins_new(self, node: cst.Call) -> bool:
        """Whether the first layer of `nn.ModuleList(...)`, whichever that is, makes a tensor and changes none."""
        if node.args:
            firsts = self.first_layers(node.args[0].value) if len(node.args) == 1 else []
            return bool(firsts) and all(map(self.is_new_layer, firsts))
        found = grown_elements(self.program.index, node) or ()
        self.begins.update((item.node, item) for item in found)  # what these are is known once the list gains them
        return bool(found)

    def begins_with(self, added: cst.BaseExpression) -> bool:
        """Whether a list of modules that gains something begins with a layer that makes a tensor, should it begin with that."""
        parts = [added, *(item.value for item in getattr(added, "elements", ()))]
        candidates = [self.begins[part] for part in parts if part in self.begins]
        firsts = self.first_among(candidates, frozenset())
        return not candidates or (bool(firsts) and all(map(self.is_new_layer, firsts)))

    def is_new_layer(self, layer: Value) -> bool:
        """Whether a layer of torch makes a tensor and changes none, whatever it is called with."""
        is_known = bool(layer.types) and all(name in self.tables.layers for name in layer.types)
        return layer.kind is Kind.MODULE and is_known and INPLACE not in layer.among and not self.passing(layer)

    def unrolled_layers(self, node: cst.Call) -> tuple[Value, ...] | None:
        """The layers of `nn.Sequential(*layers)` one by one, where it is known how a function fills the list."""
        given = node.args[0].value if len(node.args) == 1 else None
        found = unrolled(self.program.index, self.values, given) if isinstance(given, cst.Name) else None
        if not found:
            return None
        self.not_repeatable()
        items = [self.values(item) for item in found]
        for place, item in enumerate(found):
            if self.is_made_in_round(item):  # one layer for each round
                items[place] = items[place].but(sites=frozenset({self.number((item, place))}))
        return tuple(items) if all(item.kind is Kind.MODULE and item.types for item in items) else None

    def is_made_in_round(self, node: cst.BaseExpression) -> bool:
        """Whether a call makes a layer where it becomes a part of something, or in the same round of the loop."""
        if not isinstance(node, cst.Name):
            return isinstance(node, cst.Call)
        bound = self.program.definitions.bound_once(node)
        if bound is None or not isinstance(bound.value, cst.Call):
            return False
        around = [
            [item for item in self.program.index.ancestors(part) if isinstance(item, (cst.For, cst.While))]
            for part in (node, bound.value)
        ]
        return around[0] == around[1]

    def changes_argument(self, name: str, node: cst.Call) -> tuple[object, frozenset[str]]:
        """What says of a layer that it changes its argument in place: that it does, and that it may."""
        if "inplace" not in self.tables.layers[name].signature:
            return NOTHING, frozenset()
        given = self.layer_argument(name, node, "inplace")
        if given.kind is Kind.NONE or given.const is False:
            return NOTHING, frozenset()
        return INPLACE if given.const is True else NOTHING, frozenset({INPLACE})

    def firsts_of(self, first: cst.Arg) -> list[Value]:
        """What may be the first layer of `nn.Sequential(*layers)`, as far as that can be seen."""
        return self.first_layers(first.value) if first.star else [self.values(first.value)]

    def first_of(self, node: cst.BaseExpression) -> Value:
        """What an expression gives first: `features[4]` for `features[i]` in `for i in range(4, 9)`, where each round adds it."""
        line = self.program.index.statement_of(node)
        loop = next((item for item in self.program.index.ancestors(line) if isinstance(item, cst.For)), None)
        items = self.items_in_rounds(node) if isinstance(node, cst.Subscript) else None
        is_added = loop is not None and line in loop.body.body and _is_index(node, loop.target)
        return items[0] if items and is_added else self.so_far(node)

    def so_far(self, node: cst.BaseExpression) -> Value:
        """What is known of an expression: that of a function which this round has not come to by the round before."""
        if node in self.values.of_node or self.program.function_around(node) is self.function:
            return self.values(node)
        self.not_repeatable()
        return self.known_before.get(node, UNKNOWN)

    def items_in_rounds(self, node: cst.Subscript) -> tuple[Value, ...]:
        """What `features[i]` is in the rounds of `for i in range(4, 9)`; nothing where that is not known."""
        items = self.values(node.value).items
        for around in self.program.index.ancestors(node) if items else ():
            loop = around.for_in if isinstance(around, (cst.ListComp, cst.GeneratorExp)) else around
            if not isinstance(loop, (cst.For, cst.CompFor)) or not _is_index(node, loop.target):
                continue
            if isinstance(loop, cst.For) and self.is_bound_below(loop, cst.ensure_type(loop.target, cst.Name).value):
                return ()
            match loop.iter:
                case cst.Call(func=cst.Name("range"), args=[cst.Arg(value=one), cst.Arg(value=other)]):
                    first, last = self.values(one).const, self.values(other).const
                case cst.Call(func=cst.Name("range"), args=[cst.Arg(value=other)]):
                    first, last = 0, self.values(other).const
                case _:
                    return ()
            is_known = isinstance(first, int) and first >= 0
            return items[first : last if isinstance(last, int) and last >= 0 else None] if is_known else ()  # type: ignore[index]
        return ()

    def is_bound_below(self, loop: cst.For, name: str) -> bool:
        """Whether the body of a loop binds a variable."""
        bound = [
            item for item in descendants(loop.body) if isinstance(item, (cst.AssignTarget, cst.AugAssign, cst.For))
        ]
        return any(name in bound_names(item.target) for item in bound)

    def first_layers(self, layers: cst.BaseExpression, seen: frozenset[object] = frozenset()) -> list[Value]:
        """What the first of some layers may be, as far as that can be seen."""
        match layers:
            case cst.Name() if isinstance(self.program.index.parents.get(layers), cst.Param):
                return self.first_given(layers, seen)
            case cst.Name() if (unpacked := self.unpacked(layers)) is not None:
                return self.first_returned(*unpacked, seen)
            case cst.Name():
                found = first_elements(self.program.index, layers)
                if found is None and (bound := self.program.definitions.bound_once(layers)) is not None:
                    return self.first_layers(bound.value, seen) if bound.value is not None else []
                return self.leading(found or (), seen)
            case cst.List(elements=[*elements]) | cst.Tuple(elements=[*elements]):
                given = [First(item.value, isinstance(item, cst.StarredElement)) for item in elements]
                return self.leading([Prefix().and_then(given)], seen)
            case (
                cst.Subscript(value=inside, slice=[cst.SubscriptElement(slice=cst.Slice(lower=None, step=None))])
                | cst.Call(func=cst.Name("list" | "tuple"), args=[cst.Arg(value=inside)])
                | cst.BinaryOperation(left=inside, operator=cst.Add())
            ):
                return self.first_layers(inside, seen)
            case cst.ListComp(elt=made) | cst.GeneratorExp(elt=made):
                return [self.first_of(made)]
            case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name("children")), args=[]):
                return [next(self.parts_of(item)) for item in self.classes_of(self.values(owner))]
            case cst.Call():
                return self.first_returned(layers, None, seen)
            case cst.Attribute() if self.values(layers).kind is Kind.LIST:
                return self.leading(first_elements(self.program.index, layers) or (), seen)
            case cst.Attribute():
                return self.first_held(self.values(layers))
        return []

    def first_held(self, layers: Value) -> list[Value]:
        """What the first layer may be that a module holds which consists of layers."""
        if layers.kind is not Kind.MODULE or not layers.types <= _OF_MODULES:
            return []
        if layers.const not in (NEW_FIRST, NAMED_NEW_FIRST) or layers.elem is None:
            return [*(layers.items or ())][:1]
        return [layers.elem.but(types=frozenset(filter(self.makes_new, layers.elem.types)), among=frozenset())]

    def leading(self, prefixes: Sequence[Prefix], seen: frozenset[object] = frozenset()) -> list[Value]:
        """The layers of which one is the first, or stands behind such as hand on what they are given; none if that is not seen."""
        found: list[Value] = []
        for prefix in prefixes:
            for item in prefix.items:
                layers = self.first_among([item], seen)
                if not layers and not _is_empty(item.node):
                    return []
                found += layers
                if not item.is_list and not any(layer.types & PASSING_LAYERS for layer in layers):
                    break
            else:
                if prefix.is_open:
                    return []
        return found

    def first_among(self, firsts: Sequence[First], seen: frozenset[object]) -> list[Value]:
        """The layers of which one is the first; none if it is not seen what some list begins with."""
        found: list[Value] = []
        for item in firsts:
            for node in ways(item.node):
                layers = self.first_layers(node, seen) if item.is_list else [self.first_of(node)]
                if not layers and not _is_empty(node):
                    return []
                found += layers
        return found

    def first_returned(self, call: cst.Call, place: int | None, seen: frozenset[object]) -> list[Value]:
        """What the first of the layers may be that a function of the file returns, at a place of several results; none if one of
        its results is not seen.
        """
        found: list[Value] = []
        for callee in self.values.callees.get(call, ()):
            if callee in seen or callee.node not in self.program.functions:
                return []
            for node in own_nodes(callee.node):
                if isinstance(node, cst.Return) and node.value is not None:
                    result = node.value if place is None else _result_at(node.value, place)
                    first = self.first_layers(result, seen | {callee}) if result is not None else []
                    if not first:
                        return []
                    found += first
        return found

    def first_given(self, name: cst.Name, seen: frozenset[object]) -> list[Value]:
        """What the first of the layers may be that the calls of a function give it for a parameter."""
        function = self.program.functions.get(self.program.index.function_of(name))  # type: ignore[arg-type]
        if function is None or name in seen or function.seen_elsewhere or not function.callers:
            return []
        self.not_repeatable()  # there may be more calls by the next round
        found: list[Value] = []
        for call in function.callers:
            given = dict(arguments_by_parameter(function, call, self.values)) if isinstance(call, cst.Call) else {}
            layers = given.get(name.value)
            first = self.first_layers(layers, seen | {name}) if layers in self.program.index.parents else []
            if not first:
                return []
            found += first
        return found

    def unpacked(self, name: cst.Name) -> tuple[cst.Call, int] | None:
        """The call that binds a variable to one of its results, and which, at a target: `base, extras = make_layers(...)`."""
        parents = self.program.index.parents
        match part := parents.get(name):
            case cst.Element() if isinstance(targets := parents[part], cst.Tuple):
                place = list(targets.elements).index(part)
                line = parents.get(parents[targets]) if isinstance(parents[targets], cst.AssignTarget) else None
                call = line.value if isinstance(line, cst.Assign) else None
                return (call, place) if isinstance(call, cst.Call) else None
        return None

    def parts_of(self, item: Class) -> Iterator[Value]:
        """The modules that a class has as fields, in the order of their making."""
        fields = (self.field_of(item, name) for part in reversed(item.lineage) for name in part.fields)
        yield from (value for value in fields if value is not None and value.kind is Kind.MODULE)
        yield UNKNOWN

    def einops_result(self, name: object, node: cst.Call, arguments: Sequence[Value]) -> Value:
        """What a function of einops makes: as many axes as its pattern says. What it gets one tensor of may be a view of it,
        what it gets several of is new (einops.rearrange, einops.pack).
        """
        pattern = next((item.const for item in arguments if item.kind is Kind.STR), None)
        rank = _axes_of(pattern.rpartition("->")[2]) if isinstance(pattern, str) else None
        first = arguments[0] if arguments else UNKNOWN
        parts = first.items if first.is_a(Kind.LIST, Kind.TUPLE) else None
        if name == "einops.einsum" or (parts is not None and len(parts) > 1):
            return self.fresh(node, TENSOR.but(rank=rank))
        of = parts[0] if parts else first
        roots = of.roots if of.kind is Kind.TENSOR else frozenset({"*"})
        dtype = of.dtype if of.kind is Kind.TENSOR and name != "einops.reduce" else None
        return Value(Kind.TENSOR, rank=rank, dtype=dtype, roots=roots)

    def stands_behind_tensors(self, transform: cst.Call) -> bool:
        """Whether a transform stands in a list behind one that makes tensors."""
        element = self.program.index.parents.get(transform)
        line = self.program.index.parents.get(element) if isinstance(element, cst.Element) else None
        if not isinstance(element, cst.Element) or not isinstance(line, (cst.List, cst.Tuple)):
            return False
        before = line.elements[: list(line.elements).index(element)]
        return datasets.stands_behind_tensors([self.values(item.value) for item in before])

    def called_with_tensor(self, function: Value) -> None:
        """A function that is handed on gets a tensor in the end."""
        argument, tensor = cst.Arg(cst.Name("tensor")), TENSOR.but(roots=frozenset({"*"}))
        if isinstance(function.const, _Lambda):
            self.lambda_call(function.const.node, [argument], [tensor])
        for key in sorted(function.types & self.program.by_key.keys()):
            self.pass_given(self.program.by_key[key], [argument], [tensor], 0)

    def data_call(self, name: str, node: cst.Call, arguments: list[Value]) -> Value:
        given, collated = datasets.Given(node, arguments), None
        collate = given.get("collate_fn", 6)
        if collate is not None and collate.kind is not Kind.NONE:
            functions = [self.program.by_key[key] for key in sorted(collate.types) if key in self.program.by_key]
            found = [self.result_of(function) for function in functions]
            results = [result for result in found if result is not None]
            collated = _without_roots(join_all(results)) if results else UNKNOWN
        return datasets.data_made(name, given, collated)

    def method_call(self, node: cst.Call, function: cst.Attribute, arguments: list[Value], env: Env) -> Value:
        name = function.attr.value
        base = self.values(function.value)
        if base.kind is Kind.UNKNOWN and name == "to" and any(value.kind is Kind.DEVICE for value in arguments):
            base = self.refine_moved(function.value, env)
        if base.kind is Kind.PYTHON and base.const is NOTHING and self.tables.method(name) and is_inplace_name(name):
            base = self.note_receiver(node, TENSOR.but(roots=frozenset({"*"})))
            self.note(function.value, base)
        if base.kind is Kind.UNKNOWN and (
            self.is_called_as_tensor(node, name, arguments)
            or (self.is_method_of_tensors(node, name) and not self.program.defines_method(name))
        ):
            base = self.note_receiver(node, self.refine_computed(function.value, env))
        match base.kind:
            case Kind.TENSOR:
                return self.tensor_method(node, function, name, base, arguments)
            case Kind.MODULE:
                return self.module_method(node, function, name, base, arguments, env)
            case Kind.LIST | Kind.DICT | Kind.STATE_DICT | Kind.TUPLE:
                return self.container_method(node, function, name, base, arguments, env)
            case Kind.TORCH_OBJECT:
                plain = [item for item, given in zip(arguments, node.args, strict=False) if given.keyword is None]
                if not any(given.star for given in node.args) and (found := prepared(base, name, plain)) is not None:
                    return found
                spec = self.tables.method_of(base.types, name)
                return self.call_result(spec, node, function.value) if spec is not None else UNKNOWN
            case Kind.GENERATOR:
                return base if name in ("manual_seed", "clone_state") else UNKNOWN
            case Kind.STR:
                return Value(Kind.LIST, elem=STR) if name in ("split", "rsplit", "splitlines") else STR
            case Kind.UNKNOWN | Kind.PYTHON if base.const is NOTHING and self.is_spelled_text(function, node.args):
                return STR
            case Kind.DATASET | Kind.LOADER | Kind.OPTIMIZER | Kind.SCHEDULER | Kind.PYTHON:
                return UNKNOWN if base.kind is not Kind.PYTHON else base if _is_of_paths(base) else PYTHON
            case Kind.UNKNOWN if base.roots and name in PLACING and not self.program.defines_method(name):
                return Value(roots=base.roots)  # if it is a tensor, this one or a copy
            case Kind.UNKNOWN if self.is_split_text(node, function, arguments):
                return Value(Kind.LIST, elem=STR)
            case Kind.UNKNOWN if base.roots and gives_parts(name):
                return self.item_of(base)
            case Kind.UNKNOWN if name == "item" and not node.args and not self.program.defines_method(name):
                return _SOME_NUMBER  # of tensors and of NumPy's arrays
            case Kind.UNKNOWN if name == "numpy" and not self.program.defines_method(name):
                return PYTHON.but(roots=base.roots)
        return UNKNOWN

    def is_spelled_text(self, function: cst.Attribute, given: Sequence[cst.Arg]) -> bool:
        """Whether a method gives another spelling of something unknown, as only texts do: `kind.lower()`; not a column of pandas."""
        name = function.attr.value
        is_column = isinstance(function.value, cst.Attribute) and function.value.attr.value == "str"
        return name in _SPELLINGS and not given and not is_column and not self.program.defines_method(name)

    def is_split_text(self, node: cst.Call, function: cst.Attribute, arguments: Sequence[Value]) -> bool:
        """Whether a call splits something unknown as only texts are: `line.split()`, `line.split(",")`; not a column of pandas."""
        name, first = function.attr.value, arguments[0] if arguments else Value(Kind.NONE)
        is_column = isinstance(function.value, cst.Attribute) and function.value.attr.value == "str"
        is_split = name in ("split", "rsplit", "splitlines") and not any(item.star for item in node.args)
        return (
            is_split and not is_column and first.kind in (Kind.STR, Kind.NONE) and not self.program.defines_method(name)
        )

    def is_method_of_tensors(self, node: cst.Call, name: str) -> bool:
        """Whether a method, or what is done with its result, shows what has it to be a tensor."""
        if evidence.is_strong(self.tables, name, node) or self.gives_tensors(node, name):
            return True
        receiver = cst.ensure_type(node.func, cst.Attribute).value
        tells = self.has_tensors_only or (
            evidence.is_beside_arrays(name, receiver) and not self.program.mentions("pandas")
        )
        if not tells or (isinstance(receiver, cst.Name) and evidence.is_weak_word(name)):
            return False
        is_weak = evidence.is_weak(self.tables, name, node)
        return is_weak and not (isinstance(receiver, cst.Name) and self.is_contradicted(receiver))

    def gives_tensors(self, node: cst.Call, name: str) -> bool:
        """Whether the result of a method of tensors is asked for what only these have, `x.max(1)[1].cpu()`, or is taken apart as
        arrays never are: `_, predicted = x.max(1)`.
        """
        parents, last = self.program.index.parents, name
        result: cst.CSTNode = node
        if name == "nonzero" and not node.args:  # of arrays it gives a tuple
            match parents.get(node):
                case cst.Attribute(attr=cst.Name(asked)):
                    return asked not in ("count", "index")
                case cst.Subscript(value=value, slice=[_, _, *_]):
                    return value is node
        while self.tables.method(last) is not None and evidence.fits(self.tables, last, node):
            parent = parents.get(result)
            while isinstance(parent, cst.Subscript) and parent.value is result:
                result, parent = parent, parents.get(parent)
            match parent:
                case cst.Attribute(attr=cst.Name(asked)) if (call := self.call_of(parent)) is not None:
                    if evidence.is_of_torch(self.tables, asked, call):
                        return True
                    node, result, last = call, call, asked
                case cst.Assign(targets=[cst.AssignTarget(target=cst.Tuple(elements=[first, _]))]):
                    is_pair = last in ("max", "min") and len(node.args) == 1 and result is node
                    return is_pair and isinstance(first.value, cst.Name) and first.value.value == "_"
                case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as variable)]):
                    return evidence.show_tensor(self.tables, self.asked_of(variable))
                case _:
                    return False
        return False

    def refine_computed(self, node: cst.BaseExpression, env: Env) -> Value:
        """Take a name, or what is computed from names, for a tensor: of several unknown names only one need be one."""
        if isinstance(node, cst.Name):
            return self.refine(node, TENSOR, env)
        if not isinstance(node, (cst.BinaryOperation, cst.UnaryOperation, cst.Comparison)):
            known = self.values(node)
            self.take_evidence(known.roots, TENSOR)
            value = TENSOR.but(roots=known.roots or frozenset({"*"}), among=known.among)
            self.note(node, value)
            return value
        leaves = _operands(node)
        unknown = [leaf for leaf in leaves if self.values(leaf).kind is Kind.UNKNOWN]
        if len(unknown) == 1 and all(self.values(leaf).is_number for leaf in leaves if leaf not in unknown):
            self.refine(unknown[0], TENSOR, env)
            if (value := self.expression(node, env)).kind is not Kind.UNKNOWN:
                return value
        value = self.fresh(node, TENSOR)
        self.note(node, value)
        return value

    def is_called_as_tensor(self, node: cst.Call, name: str, arguments: list[Value]) -> bool:
        """Whether `x.split(...)` or `x.sort(...)` means that `x` is no string or list."""
        keywords = {argument.keyword.value for argument in node.args if argument.keyword is not None}
        if name == "split":
            is_plain = bool(node.args) and node.args[0].keyword is None
            sizes = is_plain and arguments[0].kind in (Kind.INT, Kind.LIST, Kind.TUPLE)
            return sizes or not keywords.isdisjoint({"dim", "split_size", "split_size_or_sections"})
        if name == "sort":
            parent = self.program.index.parents.get(node)
            return not keywords.isdisjoint({"dim", "descending", "stable"}) or not isinstance(parent, cst.Expr)
        return False

    def tensor_method(
        self, node: cst.Call, function: cst.Attribute, name: str, base: Value, arguments: list[Value]
    ) -> Value:
        if name == "type" and not node.args:
            told = class_of_dtype(base.dtype)
            return constant(told) if told is not None else STR
        if name in ("to", "type", "cuda", "cpu"):
            return self.moved(base, name, arguments, node)
        if name == "requires_grad_":
            return base.but(types=frozenset({"leaf"})) if not arguments or arguments[0].const is True else base
        if name in DTYPE_CALLS:
            return base.but(dtype=DTYPE_CALLS[name])
        spec = self.tables.method(name)
        if spec is None and is_inplace_name(name):
            return base
        if spec is None:
            return UNKNOWN
        if "mutates" in spec.effects:
            return base
        return _where(base, self.call_result(spec, node, function.value))

    def moved(self, base: Value, name: str, arguments: list[Value], node: cst.Call) -> Value:
        for value in arguments:
            if value.kind is Kind.TORCH and value.dtype is not None:
                return base.but(dtype=value.dtype)
            if value.kind is Kind.DTYPE:
                return base.but(dtype=value.dtype)
            if value.kind is Kind.TENSOR:
                return base.but(dtype=value.dtype)
            if value.kind is Kind.UNKNOWN and name in ("to", "type") and "dtype" in self.text_of(node):
                return base.but(dtype=None)
        return base

    def optimizer(self, node: cst.Call, arguments: Sequence[Value]) -> Value:
        """An optimizer; its items are what it trains, each the parameters of a module, or a tensor."""
        self.not_portable()  # it reads more than is noted
        trained = optimized(node, self.program.definitions, self.values)
        roots = [self.values(root) for root in trained.roots] if trained is not None else []
        nodes = trained.roots if trained is not None else ()
        items = tuple(
            Value(Kind.PARAMETERS, sites=root.sites, types=root.types, roots=self.parameter_root(place))
            if root.kind is Kind.MODULE
            else root
            for place, root in zip(nodes, roots, strict=True)
        )
        return Value(
            Kind.OPTIMIZER,
            sites=frozenset[int]().union(*(root.sites for root in roots or arguments[:1])),
            items=items,
            among=frozenset({GROUPED if trained is not None and trained.grouped else WHOLE}),
            types=frozenset({f"{MADE}{self.program.prefix}{self.site(node)}"}),
        )

    def text_of(self, node: cst.CSTNode) -> str:
        return code(node)

    def module_method(
        self, node: cst.Call, function: cst.Attribute, name: str, base: Value, arguments: list[Value], env: Env
    ) -> Value:
        if name in _MOVING:
            return base
        if name == "apply":
            self.apply_to_modules(arguments)
            return base
        if name in MODULE_HOOKS:
            self.apply_to_modules(arguments)
        if name == "parameters":
            return Value(Kind.PARAMETERS, sites=base.sites, types=base.types)
        if name == "named_parameters":
            pair = Value(Kind.TUPLE, items=(STR, Value(Kind.TENSOR, roots=frozenset({PARAMETER_ROOT}))))
            return Value(Kind.PARAMETERS, sites=base.sites, types=base.types, elem=pair)
        if name == "state_dict":
            return Value(Kind.STATE_DICT, elem=TENSOR.but(types=frozenset({"saved"})))
        if name in ("children", "named_children") and base.types == _SEQUENTIAL_TYPES and base.items:
            named = (Value(Kind.TUPLE, items=(STR, part)) for part in base.items)
            return Value(Kind.LIST, items=base.items if name == "children" else tuple(named))
        if name in ("modules", "children"):
            return Value(Kind.LIST, elem=self.child_of(base) if name == "children" else _ANY_MODULE)
        if name in ("named_modules", "named_children"):
            part = self.child_of(base) if name == "named_children" else _ANY_MODULE
            return Value(Kind.LIST, elem=Value(Kind.TUPLE, items=(STR, part)))
        if name in ("buffers", "named_buffers"):
            held = Value(Kind.TENSOR, roots=frozenset({"*"}))
            return Value(Kind.LIST, elem=held if name == "buffers" else Value(Kind.TUPLE, items=(STR, held)))
        if name in ("append", "insert", "extend", "add_module"):
            if base.const == NEW_FIRST and not self.begins_with(node.args[-1].value if node.args else node):
                base = base.but(const=NOTHING)
            self.grow(function.value, base, arguments, name, env)
            return NONE
        if name == "register_buffer" and len(arguments) >= 2 and isinstance(arguments[0].const, str):
            value = arguments[1]
            persistent = not any(
                ((argument.keyword is not None and argument.keyword.value == "persistent") or place == 2)
                and self.values(argument.value).const is False
                for place, argument in enumerate(node.args)
            )
            for item in self.classes_of(base):
                self.write(_set_buffer, item, arguments[0].const, persistent)
                known = TENSOR.but(optional=True) if value.kind is Kind.UNKNOWN else value
                kept = known.but(types=frozenset({"buffer"})) if known.kind is Kind.TENSOR else known
                self.set_field(item, arguments[0].const, kept, node)
            return NONE
        if name == "register_parameter" and len(arguments) >= 2 and isinstance(arguments[0].const, str):
            kept = arguments[1]
            if kept.kind is Kind.TENSOR:
                kept = kept if "frozen" in kept.types else kept.but(types=frozenset({"parameter"}))
            for item in self.classes_of(base):
                self.set_field(item, arguments[0].const, kept, node)
            return NONE
        if name in ("keys", "items", "values") and "torch.nn.ModuleDict" in base.types:
            element = base.element() if base.items or base.elem else UNKNOWN
            match name:
                case "keys":
                    return Value(Kind.LIST, elem=STR)
                case "values":
                    return Value(Kind.LIST, elem=element)
            return Value(Kind.LIST, elem=Value(Kind.TUPLE, items=(STR, element)))
        return UNKNOWN

    def apply_to_modules(self, arguments: list[Value]) -> None:
        """The function given to `module.apply` is called with modules of any class."""
        for key in sorted(arguments[0].types) if arguments else ():
            function = self.program.by_key.get(key)
            if function is not None:
                self.ask(_Inference.head_of, function)
                names = function.parameter_names[1 if function.is_method else 0 :]
                for name in names[:1]:
                    self.write(_Inference.see_module, function, name)

    def grow(self, node: cst.BaseExpression, base: Value, arguments: list[Value], name: str, env: Env) -> None:
        added = arguments[-1] if arguments else UNKNOWN
        if name == "extend":
            added = self.element_of(added)
        if isinstance(node, cst.Attribute):
            for item in self.classes_of(self.values(node.value)):
                found = self.container_so_far(item, node.attr.value, base)
                if found.const == NEW_FIRST:
                    found = found.but(const=base.const)
                self.write(_replace_field, item, node.attr.value, found.but(items=None, elem=_grown(found, added)))
        elif base.sites:  # a variable, which may be a parameter: the lists that it stands for hold what it gains, too
            self.write(_Inference.note_grown, base.sites, added)
            if isinstance(node, cst.Name) and node.value in env and base.types == {"torch.nn.ModuleList"}:
                env[node.value] = base.but(items=None, elem=_grown(base, added))  # which a function may give

    def container_so_far(self, item: Class, name: str, container: Value) -> Value:
        """What this round has found of a field that holds modules, or what the last one has, which may have known less."""
        _, so_far = self.ask(_Inference.field_so_far, item, name)
        return so_far if so_far is not None and so_far.kind is Kind.MODULE else container

    def note_grown(self, sites: frozenset[int], added: Value) -> None:
        for site in sites:
            _join_into(self.stored, f"{MADE}{site}", added)

    def grow_fields(self) -> None:
        """What lists of modules gain by other names than that of the field which holds them."""
        for item in self.program.classes.values() if self.stored else ():
            for name, value in item.fields.items():
                sites = [f"{MADE}{site}" for site in sorted(value.sites)] if value.kind is Kind.MODULE else []
                if added := [self.stored[site] for site in sites if site in self.stored]:
                    old = [value.element()] if value.items or value.elem else []
                    item.fields[name] = value.but(items=None, elem=join_all([*old, *added]))

    def container_method(
        self,
        node: cst.Call,
        function: cst.Attribute,
        name: str,
        base: Value,
        arguments: list[Value],
        env: Env,
    ) -> Value:
        does = method_does(name, base.kind)
        if does is Does.GROWS and arguments and base.kind is Kind.LIST:
            added = self.element_of(arguments[-1]) if name in ADDS_PARTS else arguments[-1]
            grown = Value(Kind.LIST, elem=_grown(base, added), types=base.types)
            self.store_into(base, added)
            self.assign(function.value, grown, env)
            if arguments[-1].kind is Kind.TENSOR and isinstance(node.args[-1].value, cst.Name):
                env[node.args[-1].value.value] = arguments[-1].but(roots=arguments[-1].roots | {"*"})
            return NONE
        if does & CHANGES and Does.GIVES not in does and base.kind is Kind.LIST and base.items:
            self.store_into(base, base.element())
            self.assign(function.value, base.but(items=None, elem=base.element()), env)
            return NONE
        if Does.GROWS in does and base.kind is Kind.DICT and arguments:
            every = arguments[1:]  # behind a key, or a mapping
            if name == "update":
                first = arguments[0]
                is_mapping = node.args[0].keyword is None
                every.append(_of_mapping(first, self.element_of(first)) if is_mapping else first)
            for added in every:
                self.store_into(base, added)
                base = base.but(elem=_grown(base, added))
            self.assign(function.value, base, env)
        if base.kind is Kind.DICT or (base.kind is Kind.STATE_DICT and name in ("items", "values")):
            element = base.elem or UNKNOWN
            if base.kind is Kind.STATE_DICT:
                element = element.but(roots=frozenset({"*"}))  # the module has them, too
            match name:
                case "get" | "pop" | "setdefault":
                    return element
                case "values":
                    return Value(Kind.LIST, elem=element)
                case "items":
                    return Value(Kind.LIST, elem=Value(Kind.TUPLE, items=(UNKNOWN, element)))
                case "keys":
                    return Value(Kind.LIST, elem=UNKNOWN)
                case "copy":
                    return base
        if name == "copy" and base.kind is Kind.LIST:
            return base
        if name == "pop":
            return base.element()
        if name in ("index", "count"):
            return INT
        return UNKNOWN

    def builtin_call(self, name: str, node: cst.Call, arguments: list[Value]) -> Value:
        first = arguments[0] if arguments else UNKNOWN
        match name:
            case "range":
                return Value(Kind.LIST, elem=INT)
            case "len":
                return INT
            case "int":
                return INT
            case "float":
                return _float_of(first) if len(arguments) == 1 else FLOAT
            case "bool" | "isinstance" | "hasattr" | "callable":
                return BOOL
            case "setattr" if len(arguments) == 3:
                self.set_any_part(node, arguments[0], arguments[1], arguments[2])
                return NONE
            case "str" | "repr" | "format" | "input":
                return STR
            case "list" if first.is_a(Kind.LIST, Kind.MODULE) and _are_layers(first):
                return Value(Kind.LIST, items=first.items)
            case "list" | "sorted" | "reversed" | "iter":
                return Value(Kind.LIST, elem=self.element_of(first)) if arguments else Value(Kind.LIST)
            case "tuple":
                return Value(Kind.TUPLE, items=first.items, elem=None if first.items else self.element_of(first))
            case "next":
                if first.kind is Kind.UNKNOWN and _asks_for_parameters(node.args[0].value):
                    return TENSOR
                return self.element_of(first)
            case "enumerate":
                return Value(Kind.LIST, elem=Value(Kind.TUPLE, items=(INT, self.element_of(first))))
            case "map" if len(arguments) > 1:
                return Value(Kind.LIST, elem=self.mapped(node, arguments))
            case "zip" if any(item.star for item in node.args):
                return self.columns(node, arguments)
            case "zip":
                items = tuple(self.element_of(value) for value in arguments)
                return Value(Kind.LIST, elem=Value(Kind.TUPLE, items=items))
            case "sum":
                element = self.element_of(first)
                if element.kind is Kind.BOOL:
                    return INT
                return self.fresh(node, element) if element.kind is Kind.TENSOR else element.but(const=NOTHING)
            case "max" | "min":
                pairs = list(zip(node.args, arguments, strict=True))
                values = [value for item, value in pairs if item.keyword is None]
                values = values if len(values) > 1 or not values else [self.element_of(values[0])]
                values += [value for item, value in pairs if item.keyword and item.keyword.value == "default"]
                return join_all(values).but(const=NOTHING) if values else UNKNOWN
            case "round" if len(arguments) == 1 and first.is_number:
                return INT
            case "abs" | "round":
                return INT if first.kind is Kind.BOOL else self.fresh(node, first.but(const=NOTHING))
            case "dict":
                parts = [
                    value if item.keyword is not None else _of_mapping(value, self.element_of(value))
                    for item, value in zip(node.args, arguments, strict=True)
                ]
                return self.new_container(node, Value(Kind.DICT, elem=join_all(parts) if parts else None))
            case "print":
                return NONE
            case "super":
                return self.super_value()
        return UNKNOWN

    def mapped(self, node: cst.Call, arguments: list[Value]) -> Value:
        """What `map` yields: results of its function for elements of what it goes through."""
        function, passed = arguments[0], [self.element_of(value) for value in arguments[1:]]
        if function.kind is not Kind.FUNCTION:
            return UNKNOWN
        if isinstance(function.const, _Lambda):
            return self.outside(self.lambda_call(function.const.node, node.args[1:], passed), node)
        results = []
        for key in sorted(function.types):
            found = self.program.by_key.get(key)
            if found is None:
                return UNKNOWN
            self.pass_given(found, node.args[1:], passed, 1 if found.is_method else 0)
            results.append(self.returned(found, node))
        return join_all(results) if results else UNKNOWN

    def loaded(self, load: cst.Call) -> Value:
        """What is read from a file: a dict, or something else where it is called or has a method of modules."""
        parents = self.program.index.parents
        end, called = load, set()
        while isinstance(attribute := parents[end], cst.Attribute) and isinstance(call := parents[attribute], cst.Call):
            end = call
            called.add(attribute.attr.value)
        if called & _METHODS_OF_MODULES or self.is_used_as_module(end):
            return Value(Kind.MODULE)
        return UNKNOWN if called & _PLACING else Value(Kind.DICT)

    def is_used_as_module(self, loaded: cst.Call) -> bool:
        """Whether the variable or field for a value is called, or has a method called that modules have and dicts have not."""
        parent = self.program.index.parents[loaded]
        if not isinstance(parent, cst.Assign) or len(parent.targets) != 1:
            return False
        target, index = parent.targets[0].target, self.program.index
        place = dotted(target)
        if isinstance(target, cst.Name):
            uses: Iterable[cst.BaseExpression] = self.program.definitions.uses_at(target)
        else:
            uses = (node for node in index.attributes if place is not None and dotted(node) == place)
        return any(map(self.is_called_or_moved, uses))

    def is_called_or_moved(self, use: cst.BaseExpression) -> bool:
        parent = self.program.index.parents[use]
        if isinstance(parent, cst.Attribute) and parent.value is use:
            return parent.attr.value in _METHODS_OF_MODULES | _PLACING
        return isinstance(parent, cst.Call) and parent.func is use

    def super_value(self) -> Value:
        if self.owner is None:
            return UNKNOWN
        bases = frozenset(base.key for base in self.owner.base_classes)
        if bases:
            return Value(Kind.MODULE if self.owner.is_module else Kind.OBJECT, types=bases)
        return Value(Kind.PYTHON)


# The rules by the class of the node: asking for one class after the other is slow for LibCST's abstract classes.
_EXPRESSIONS: dict[type[cst.CSTNode], Callable[[_Inference, Any, Env], Value]] = {
    cst.Name: _Inference.name,
    cst.Attribute: _Inference.attribute,
    cst.Call: _Inference.call,
    cst.Subscript: _Inference.subscript,
    cst.BinaryOperation: _Inference.operation,
    cst.Comparison: _Inference.comparison,
    cst.UnaryOperation: _Inference.unary,
    cst.BooleanOperation: _Inference.boolean,
    cst.IfExp: _Inference.conditional,
    cst.SimpleString: _Inference.string,
    cst.ConcatenatedString: _Inference.string,
    cst.FormattedString: _Inference.formatted,
    cst.Integer: lambda _, node, env: _number(node.value),
    cst.Float: lambda _, node, env: _number(node.value),
    cst.Imaginary: lambda _, node, env: PYTHON,
    cst.Ellipsis: lambda _, node, env: Value(Kind.PYTHON, const=...),
    cst.Tuple: _Inference.display,
    cst.List: _Inference.display,
    cst.Set: _Inference.display,
    cst.Dict: _Inference.dictionary,
    **dict.fromkeys((cst.ListComp, cst.SetComp, cst.GeneratorExp, cst.DictComp), _Inference.comprehended),
    cst.Lambda: _Inference.lambda_value,
    cst.NamedExpr: _Inference.named,
    cst.StarredElement: lambda inference, node, env: inference.expression(node.value, env),
}
_STATEMENTS: dict[type[cst.CSTNode], Callable[[_Inference, Any, Env], bool | None]] = {
    cst.Assign: _Inference.assignment,
    cst.AnnAssign: _Inference.annotated,
    cst.AugAssign: _Inference.augmented,
    cst.Expr: _Inference.line,
    cst.Return: _Inference.returning,
    cst.If: _Inference.branch,
    cst.For: _Inference.loop,
    cst.While: _Inference.while_loop,
    cst.Try: _Inference.try_statement,
    cst.TryStar: _Inference.try_statement,
    cst.ClassDef: _Inference.class_statement,
}


@dataclass(frozen=True, slots=True)
class _Lambda:
    """The lambda that a function is."""

    node: cst.Lambda


@dataclass(frozen=True, slots=True)
class _Transformed:
    """What a function was made from by a transform: the keys of functions of the program."""

    keys: tuple[str, ...]


def _is_told(passed: Value) -> bool:
    """Whether what `*items` and `**items` are given is known well enough to say what their elements are."""
    return passed.kind in (Kind.TENSOR, Kind.MODULE) or passed.may_train


def all_marks(program: Program) -> Iterator[tuple[str, ...]]:
    """What normalizations have noted of the functions of a file and of the others of its program."""
    yield from program.marks
    for other in program.modules.values():
        yield from other.marks


def _shapeless(value: Value) -> Value:
    """A value whose arrays may have other ranks."""
    items = tuple(_shapeless(item) for item in value.items) if value.items is not None else None
    elem = _shapeless(value.elem) if value.elem is not None else None
    return Value(value.kind, None, value.dtype, value.const, items, elem, value.types)


def is_differentiated_lambda(node: cst.CSTNode) -> bool:
    """Whether a call differentiates a lambda, which it calls once."""
    if not isinstance(node, cst.Call) or dotted(node.func) != "jax.vjp" or not node.args:
        return False
    return isinstance(node.args[0].value, cst.Lambda)


def is_own_gradient(node: cst.Call) -> bool:
    """Whether a call gives the gradient of one tensor that was normalized before, and begins with a new one: no other tensor
    is the same then.
    """
    match node:
        case cst.Call(args=[cst.Arg(value=cst.Call(func=cst.Name(), args=[cst.Arg(value=cst.Call(func=start))]))]):
            return dotted(node.func) == "jax.lax.stop_gradient" and (dotted(start) or "").endswith("ones_like")
    return False


STRUCTURED = frozenset(
    {
        "torch.cond",
        *(f"torch._higher_order_ops.{name}" for name in ("cond", "while_loop", "scan", "associative_scan", "map")),
        "torch._higher_order_ops.cond.cond",
        "torch._higher_order_ops.while_loop.while_loop",
        "torch._higher_order_ops.scan.scan",
        "torch._higher_order_ops.associative_scan.associative_scan",
    }
)
_STRUCTURED_IN_JAX = {
    "jax.lax.cond": "cond",
    "jax.lax.while_loop": "while_loop",
    "jax.lax.scan": "scan",
    "jnp.where": "where",
}


def structured(node: cst.CSTNode) -> str | None:
    """Which kind of control flow a call says that the normalization of control flow has written."""
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return None
    if node.func.attr.value == "error_if":
        return "error_if"  # of the library that modules are made with
    if node.func.attr.value not in _STRUCTURED_IN_JAX.values():
        return None
    return _STRUCTURED_IN_JAX.get(dotted(node.func) or "")


def _unpacked(node: cst.Call) -> list[cst.Arg]:
    """The arguments of torch's `cond`, whose operands stand in a tuple, with the operands spread."""
    arguments = list(node.args)
    if len(arguments) == 4 and isinstance(arguments[3].value, (cst.Tuple, cst.List)):
        return [*arguments[:3], *(cst.Arg(item.value) for item in arguments[3].value.elements)]
    return arguments


_AS_ARRAYS = {Kind.FLOAT: "float32", Kind.BOOL: "bool", Kind.INT: "int64"}


def _either(one: Value, other: Value) -> Value:
    """What compiled code gives that computes one of two values of the same shape: an array, even of numbers."""
    if one.items is not None and other.items is not None and len(one.items) == len(other.items):
        items = tuple(_either(a, b) for a, b in zip(one.items, other.items, strict=True))
        return Value(Kind.TUPLE, items=items)
    if one.is_number and other.is_number:
        return Value(Kind.TENSOR, 0, _AS_ARRAYS[join(one, other).kind])
    if one.is_number or other.is_number:
        return (other if one.is_number else one).but(const=NOTHING)
    return join(one, other)


def _is_weak_call(spec: FunctionSpec, facts: Facts, value: Value) -> bool:
    """Whether JAX lets narrower arrays outweigh what a call gives: an array of a Python number, or made of such arrays alone."""
    if value.kind is not Kind.TENSOR:
        return False
    if spec.name in ("torch.tensor", "torch.as_tensor"):
        return facts.value("data").is_number and not facts.given("dtype")
    if spec.name == "torch.where" and facts.value("input").is_number and facts.value("other").is_number:
        return True
    given = [facts.value(item.name) for item in facts.signature.parameters if facts.given(item.name)]
    rule = spec.result.get("dtype") if isinstance(spec.result, dict) else spec.result
    if value.dtype == "float32" and str(rule).startswith(("elementwise(", "promote(")):
        return is_weak(*(item for item in given if item.is_a(Kind.TENSOR) or item.is_number))
    tensors = [item for value in given for item in (value.items or (value.elem or value,)) if item.is_a(Kind.TENSOR)]
    return bool(tensors) and all("weak" in item.types and item.dtype == value.dtype for item in tensors)


def _row_of(value: Value) -> Value:
    """One of the rows of a tensor, or of each tensor of a tuple."""
    if value.items is not None:
        return value.but(items=tuple(_row_of(item) for item in value.items), roots=frozenset())
    return Value(value.kind, value.rank - 1 if value.rank else None, value.dtype, types=value.types)


def _stacked(value: Value) -> Value:
    """Results of the steps of a loop, stacked."""
    if value.items is not None:
        return value.but(items=tuple(_stacked(item) for item in value.items), roots=frozenset())
    if value.kind is not Kind.TENSOR and not value.is_number:
        return value
    return Value(Kind.TENSOR, value.rank + 1 if value.rank is not None else None, value.dtype)


def _gradient_of(value: Value) -> Value:
    items = tuple(_gradient_of(item) for item in value.items) if value.items is not None else None
    elem = _gradient_of(value.elem) if value.elem is not None else None
    kind = Kind.TENSOR if value.kind is Kind.UNKNOWN else value.kind
    types = value.types if kind is Kind.MODULE else frozenset[str]()  # of a module a module that holds the gradients
    return Value(kind, value.rank, value.dtype, items=items, elem=elem, types=types)


def _has_own_gradient(function: Function, name: str) -> bool:
    """Whether a parameter is one of the arrays that a custom_vjp takes."""
    for decorator in function.decorators:
        if decorator == "jax.custom_vjp":
            return True
        if decorator.startswith("partial(jax.custom_vjp, nondiff_argnums="):
            fixed = decorator.partition("=")[2].strip("(),").split(",")
            return str(function.parameter_names.index(name)) not in [item.strip() for item in fixed]
    return False


def _local_module(place: str, name: object) -> Value:
    """The value of a file of the program, or of a folder of it; `name` is what imports call it, where that is known."""
    return Value(Kind.PYTHON, const=f"{LOCAL}{place}" if name is NOTHING else f"{LOCAL}{place}\n{name}")


def public_names(module: Program) -> Env:
    """What a star import of a file binds."""
    exported = module.module_env.get("__all__", UNKNOWN)
    names = [item.const for item in exported.items or ()]
    if names and all(isinstance(name, str) for name in names):
        return {str(name): module.module_env.get(str(name), UNKNOWN) for name in names}
    return {name: value for name, value in module.module_env.items() if not name.startswith("_")}


def _is_open_type(value: Value, name: str) -> bool:
    """Whether an annotation leaves open what is meant: `Any`, and what the program makes of other types, such as
    `Array = Union[torch.Tensor, np.ndarray]` and `T = TypeVar("T")`.
    """
    given = value.const.rpartition(".")[2] if isinstance(value.const, str) else name
    return value.const is NOTHING or name in _OPEN_TYPES or given in _OPEN_TYPES


def _taken_from(module: Program, place: str) -> frozenset[str]:
    """The names of a file that stand for what they stand for in the one at `place`, which they are imported from:
    `from models import Base` in a file of `models`, of which `models/__init__.py` takes all names in turn.
    """
    statements = [
        node for node in module.index.every(cst.ImportFrom) if module.asked.get(imported_module(node)[0]) == place
    ]
    names = [
        alias.name
        for node in statements
        if not isinstance(node.names, cst.ImportStar)
        for alias in node.names
        if isinstance(alias.name, cst.Name) and alias.asname is None and module.index.function_of(node) is None
    ]
    return frozenset(name.value for name in names if len(module.definitions.every_of_name(name)) == 1)


def _torch_imports(body: cst.BaseSuite, env: Env) -> Env:
    """What imports in a `try` bind to torch: handlers of ImportError bind the same thing of another torch release."""
    lines = [small for line in body.body if isinstance(line, cst.SimpleStatementLine) for small in line.body]
    names = [
        name
        for small in lines
        if isinstance(small, (cst.Import, cst.ImportFrom))
        for name in import_bindings(small, ())
    ]
    return {name: env[name] for name in names if name in env and env[name].kind is Kind.TORCH}


def _is_index(node: cst.BaseExpression, target: cst.BaseExpression) -> bool:
    """Whether a loop's variable stands alone in the brackets: `features[i]`."""
    match node:
        case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Index(value=cst.Name() as place))]):
            return place.deep_equals(target)
    return False


def _float_of(value: Value) -> Value:
    """`float("-inf")` and its like are constants."""
    if isinstance(value.const, str):
        try:
            return constant(float(value.const))
        except ValueError:
            return FLOAT
    return FLOAT


def _is_left_to_subclasses(function: Function) -> bool:
    """Whether a method raises an error whenever it is called: subclasses say what it gives."""
    for statement in function.node.body.body:
        if isinstance(statement, cst.SimpleStatementLine) and isinstance(statement.body[-1], cst.Raise):
            return True
        if descendants(statement, cst.Return):
            return False
    return False


def _is_left_to_heirs(item: Class) -> bool:
    """Whether a class of modules has a `forward` that is not meant to be called."""
    forward = item.method("forward")
    if forward is None:
        return False
    return _is_abstract(forward) or _is_left_to_subclasses(forward)


def _is_abstract(function: Function) -> bool:
    return any(text.endswith("abstractmethod") for text in function.decorators)


def _does_nothing(function: Function) -> bool:
    """Whether the body of a function is a docstring, `pass`, `...` or `return None`."""
    for line in function.node.body.body:
        for small in line.body if isinstance(line, cst.SimpleStatementLine) else (line,):
            match small:
                case cst.Pass() | cst.Expr(value=cst.Ellipsis() | cst.BaseString()):
                    pass
                case cst.Return(value=None | cst.Name("None")):
                    pass
                case _:
                    return False
    return True


def _is_of_heirs(item: Class, parents: Mapping[cst.CSTNode, cst.CSTNode], name: cst.BaseExpression) -> bool:
    """Whether a class is named where another one derives from it, where it is defined or imported, where it is asked for by
    `super` and its like, or where it has a method called: `Base.__init__(self)`.
    """
    parent = parents[name]
    if isinstance(parent, cst.Attribute) and parent.value is name:
        method = item.methods.get(parent.attr.value)
        return method is not None and "classmethod" not in method.decorators
    if isinstance(parent, cst.Attribute):
        return _is_of_heirs(item, parents, parent)
    if isinstance(parent, cst.Arg):
        around = parents[parent]
        asks = isinstance(around, cst.Call) and dotted(around.func) in ("super", "isinstance", "issubclass")
        return asks or isinstance(around, cst.ClassDef)
    return isinstance(parent, (cst.ClassDef, cst.ImportAlias, cst.AsName, cst.Annotation))


def _lambda_parameters(params: cst.Parameters) -> list[cst.Param]:
    starred = [item for item in (params.star_arg, params.star_kwarg) if isinstance(item, cst.Param)]
    return [*params.posonly_params, *params.params, *params.kwonly_params, *starred]


_BUILTINS: dict[str, Value] = {"True": constant(True), "False": constant(False), "None": NONE, "__name__": STR}


def outermost(function: Function | None) -> Function | None:
    """The function that no other one stands around, of those around and in which a function is."""
    while function is not None and function.outer is not None:
        function = function.outer
    return function


def _grown(container: Value, added: Value) -> Value:
    """The element of a container when something has been added."""
    empty = not container.items and container.elem is None
    return added if empty else join(container.element(), added)


def _join_into(found: Env, name: str, value: Value) -> None:
    found[name] = join(found[name], value) if name in found else value


@lru_cache(maxsize=4096)
def _text(literal: str) -> object:
    """What a literal in quotes stands for: every round of the inference asks."""
    return ast.literal_eval(literal)


def _merge_into(env: Env, branches: Iterable[Env]) -> None:
    """Join the environments of several paths; a name unbound on some path keeps what it has on the others."""
    merged: Env = {}
    for branch in branches:
        for name, value in branch.items():
            old = merged.setdefault(name, value)
            if old is not value:  # most names are what they were on all paths
                # a class that a caller may give takes the same as those here, while a function may be a layer as well
                is_class = Kind.CLASS in (old.kind, value.kind)
                merged[name] = join_given(old, value) if is_class else join(old, value)
    env.clear()
    env.update(merged)


def is_suppressing(node: cst.BaseExpression, look: Callable[[cst.CSTNode], Value]) -> bool:
    """Whether control may go on behind a `with` whose body has stopped somewhere."""
    return isinstance(node, cst.Call) and look(node.func).const == "contextlib.suppress"


def _is_mask(part: cst.BaseSlice) -> bool:
    """`x > 0`, `~mask`, `(x == 1) | (x == 2)` as an index."""
    match part:
        case cst.Index(value=cst.Comparison(comparisons=[*tests])):
            return not any(isinstance(item.operator, (cst.In, cst.NotIn, cst.Is, cst.IsNot)) for item in tests)
        case cst.Index(value=cst.UnaryOperation(operator=cst.BitInvert())):
            return True
        case cst.Index(value=cst.BinaryOperation(operator=cst.BitAnd() | cst.BitOr(), left=left)):
            return _is_mask(cst.Index(left))
    return False


def _given_to_each_key(loop: cst.For) -> tuple[str | None, Sequence[cst.BaseExpression]]:
    """The variable whose keys a loop goes through, and what it stores under them, if each gets a value; None otherwise."""
    match loop.iter, loop.target:
        case (
            cst.Call(func=cst.Attribute(value=cst.Name(name), attr=cst.Name("keys")), args=[]),
            cst.Name(key),
        ) | (
            cst.Call(func=cst.Attribute(value=cst.Name(name), attr=cst.Name("items")), args=[]),
            cst.Tuple(elements=[cst.Element(value=cst.Name(key)), _]),
        ):
            bound = {name, key} & bound_by(loop.body)
            nodes = list(descendants(loop.body))
            if bound or not _stores_under(loop.body, name, key) or any(isinstance(node, _LEAVING) for node in nodes):
                return None, ()
            stores = [
                node for node in nodes if isinstance(node, (cst.Assign, cst.AugAssign)) and _is_stored(node, name)
            ]
            if all(isinstance(node, cst.Assign) and _is_stored(node, name, key) for node in stores):
                return name, [node.value for node in stores]
    return None, ()


def _stores_under(block: cst.CSTNode, name: str, key: str) -> bool:
    """Whether a block stores something under a key of a dict, whatever it decides."""
    for line in block.body if isinstance(block, cst.IndentedBlock) else ():
        match line:
            case cst.SimpleStatementLine(body=[cst.Assign() as small]) if _is_stored(small, name, key):
                return True
            case cst.If(body=body, orelse=cst.Else() | cst.If() as other):
                beside = other.body if isinstance(other, cst.Else) else cst.IndentedBlock([other])
                if _stores_under(body, name, key) and _stores_under(beside, name, key):
                    return True
    return False


def _is_stored(small: cst.Assign | cst.AugAssign, name: str, key: str | None = None) -> bool:
    """Whether a statement stores in what a variable holds, under a key that another one says, or anywhere."""
    targets = [item.target for item in small.targets] if isinstance(small, cst.Assign) else [small.target]
    for target in targets:
        match target:
            case cst.Subscript(value=cst.Name(base), slice=[cst.SubscriptElement(slice=cst.Index(value=index))]):
                if base == name and (key is None or (len(targets) == 1 and dotted(index) == key)):
                    return True
    return False


def _only_hands_on(loop: cst.For) -> bool:
    """Whether a loop gives each layer what the one before has made, and does nothing else: `x = layer(x)`."""
    match loop.target, loop.body.body:
        case (
            cst.Name(layer),
            [
                cst.SimpleStatementLine(
                    body=[
                        cst.Assign(
                            targets=[cst.AssignTarget(target=cst.Name(bound))],
                            value=cst.Call(func=cst.Name(called), args=[cst.Arg(value=cst.Name(given), star="")]),
                        )
                    ]
                )
            ],
        ):
            return layer == called and bound == given != layer
    return False


def _handing_on(loop: cst.For) -> cst.Call | None:
    """`layer(x)` of a loop over layers that begins with `x = layer(x)`, or `given = x` and that, and binds `x` nowhere else, also
    `layers[i](x)`.
    """
    body = list(loop.body.body)
    kept: str | None = None
    match body[:1]:
        case [
            cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(other))], value=cst.Name() as named)]
            )
        ] if other != named.value:
            kept, body = named.value, body[1:]
    match body:
        case [
            cst.SimpleStatementLine(
                body=[
                    cst.Assign(
                        targets=[cst.AssignTarget(target=cst.Name(bound))],
                        value=cst.Call(func=called, args=[cst.Arg(value=cst.Name(given), star="")]) as call,
                    )
                ]
            ),
            *rest,
        ] if bound == given and kept in (None, given):
            pass
        case _:
            return None
    counted: cst.BaseExpression = loop.target
    if isinstance(counted, cst.Tuple):
        counted = counted.elements[-1].value if _layers_gone_through(loop.iter) is not loop.iter else counted
    is_element = isinstance(counted, cst.Name) and isinstance(called, cst.Name) and counted.value == called.value
    is_read = isinstance(called, cst.Subscript) and _is_index(called, loop.target) and dotted(called.value) is not None
    is_bound_again = given in bound_names(loop.target) or any(given in bound_by(line) for line in rest)
    return call if (is_element or is_read) and not is_bound_again else None


def _layers_gone_through(counted: cst.BaseExpression) -> cst.BaseExpression:
    """`layers` of `enumerate(layers)`, `layers.children()` and `layers.named_children()`."""
    match counted:
        case cst.Call(func=cst.Name("enumerate"), args=[cst.Arg(value=layers), *_]):
            return _layers_gone_through(layers)
        case cst.Call(func=cst.Attribute(value=layers, attr=cst.Name("children" | "named_children")), args=[]):
            return layers
    return counted


def _starts_with_first(counted: cst.BaseExpression) -> bool:
    """Whether `range(...)` begins with 0."""
    match counted:
        case cst.Call(func=cst.Name("range"), args=[_]):
            return True
        case cst.Call(func=cst.Name("range"), args=[cst.Arg(value=cst.Integer("0")), _]):
            return True
    return False


def changes_first(members: Sequence[Value]) -> frozenset[str]:
    """Whether layers one behind the other change what the first of them is given: also behind those that hand it on."""
    for member in members:
        if INPLACE in member.among or not member.types & PASSING_LAYERS:
            return member.among & {INPLACE}
    return frozenset()


def _result_at(returned: cst.BaseExpression, place: int) -> cst.BaseExpression | None:
    """One of the results of `return base, extras`."""
    elements = returned.elements if isinstance(returned, cst.Tuple) else ()
    is_plain = not any(isinstance(item, cst.StarredElement) for item in elements)
    return elements[place].value if is_plain and place < len(elements) else None


def _are_layers(value: Value) -> bool:
    """Whether all that a list or a sequence of layers holds is known to be modules."""
    return bool(value.items) and all(part.kind is Kind.MODULE for part in value.items or ())


def _is_empty(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.List) and not node.elements


def keeps_arguments(function: Value) -> bool:
    """Whether a function of Python's library gives back what it is given, or something that holds it."""
    return function.kind is Kind.PYTHON and isinstance(function.const, str) and function.const.startswith(_KEEPING)


def may_give_tensors(function: Value) -> bool:
    """Whether a function of a package may give back tensors that it is given, or what holds them."""
    if function.kind is not Kind.PYTHON or not isinstance(function.const, str) or function.const.startswith(LOCAL):
        return False
    if function.const.endswith(".from_pretrained"):  # a model of the package's own, which stays one of torch
        return False
    return function.const.partition(".")[0] not in _WITHOUT_TENSORS


def _holds_tensors(value: Value) -> bool:
    """Whether a value is a tensor, or a container of such and nothing else."""
    if value.is_a(Kind.LIST, Kind.TUPLE, Kind.DICT):
        return bool(value.parts) and all(map(_holds_tensors, value.parts))
    return value.kind is Kind.TENSOR


def may_hold_tensors(value: Value) -> bool:
    """Whether a value may be of torch, or hold what is."""
    match value.kind:
        case Kind.LIST | Kind.TUPLE | Kind.DICT:
            return any(map(may_hold_tensors, value.parts))
    return value.kind in (Kind.TENSOR, Kind.MODULE, Kind.LOADER, Kind.DATASET, Kind.OBJECT, Kind.UNKNOWN)


@lru_cache(maxsize=2048)
def _yields(function: cst.FunctionDef) -> bool:
    return any(True for _ in descendants(function.body, cst.Yield))


def _of_mapping(given: Value, element: Value) -> Value:
    """What the values of a dictionary are that is made of another, or of pairs."""
    if given.kind is Kind.DICT:
        return given.elem or UNKNOWN
    return element.items[1] if element.items is not None and len(element.items) == 2 else UNKNOWN


def _number_result(left: Value, right: Value) -> Value:
    floats = [value for value in (left, right) if value.kind is Kind.FLOAT]
    if not floats:
        return INT
    return FLOAT.but(types=frozenset({"mixed"})) if all(value.is_mixed for value in floats) else FLOAT


def _operated(operator: cst.CSTNode, left: Value, right: Value, result: Value) -> Value:
    """What Python's operators give for numbers, where that is not just the wider of the two kinds."""
    if isinstance(operator, cst.Divide):
        return FLOAT
    if isinstance(operator, cst.Power) and result.kind is Kind.INT:
        exponent = right.const
        is_whole = isinstance(exponent, int) and exponent >= 0
        return INT if is_whole else FLOAT if isinstance(exponent, int) else INT.but(types=frozenset({"mixed"}))
    if isinstance(operator, (cst.BitAnd, cst.BitOr, cst.BitXor)) and left.kind is right.kind is Kind.BOOL:
        return BOOL
    return result


def _module_types(value: Value) -> set[str]:
    found = set(value.types) if value.kind is Kind.MODULE else set()
    for item in (*(value.items or ()), *((value.elem,) if value.elem else ())):
        found |= _module_types(item)
    return found


def _without_sites(value: Value) -> Value:
    """A module made by a function: each call makes another one, whatever its parts were made by."""
    items = tuple(_without_sites(item) for item in value.items) if value.items is not None else None
    elem = _without_sites(value.elem) if value.elem is not None else None
    return value.but(sites=frozenset(), items=items, elem=elem)


def _drops(signature: Signature, facts: Facts) -> bool:
    """Whether dropout makes a new tensor: outside of training, and where nothing is dropped, torch gives back its input."""
    return "training" in signature and facts.constant("training") is True and facts.constant("p") != 0


def _without_roots(value: Value) -> Value:
    """A value that nobody else refers to."""
    items = tuple(_without_roots(item) for item in value.items) if value.items is not None else None
    elem = _without_roots(value.elem) if value.elem is not None else None
    return value.but(roots=frozenset(), items=items, elem=elem)


def _no_tensor(value: Value) -> Value:
    """What is left of a value that was taken for a tensor and is none."""
    return Value(roots=value.roots)


def _operands(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """What arithmetic computes with."""
    match node:
        case cst.BinaryOperation():
            return [*_operands(node.left), *_operands(node.right)]
        case cst.UnaryOperation():
            return _operands(node.expression)
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(comparator=right)]):
            return [*_operands(left), *_operands(right)]
    return [node]


def gives_kept(function: Function, node: cst.Return) -> bool:
    """Whether the `__getitem__` of a dict gives back what it has kept before: `return super().__getitem__(key)`, where it goes on
    with `self[key] = made` and `return made`.
    """
    match node.value:
        case cst.Call(func=cst.Attribute(value=holder, attr=cst.Name("__getitem__" | "get"))) if is_super(holder):
            pass
        case _:
            return False
    nodes = own_nodes(function.node)
    stores = [item for item in nodes if isinstance(item, cst.Assign) and isinstance(item.value, cst.Name)]
    kept = {
        dotted(item.value)
        for item in stores
        for target in item.targets
        if isinstance(target.target, cst.Subscript) and dotted(target.target.value) == function.self_name
    }
    given = [dotted(item.value) for item in nodes if isinstance(item, cst.Return) and item is not node and item.value]
    return function.name == "__getitem__" and bool(given) and kept.issuperset(given)


def registered_parameter(function: Function) -> str | None:
    """The parameter that a decorator puts into a table, as in `MODELS[fn.__name__] = fn`, or hands on to what may do so,
    and gives back as it is.
    """
    own = function.parameters[1 if function.is_method else 0 :]
    nodes = own_nodes(function.node)
    returned = [node.value for node in nodes if isinstance(node, cst.Return)]
    name = own[0].name.value if own else None
    is_kept = name is not None and any(_puts_away(node, name) for node in nodes)
    return name if is_kept and returned and all(dotted(node) == name for node in returned if node is not None) else None


def _puts_away(node: cst.CSTNode, name: str) -> bool:
    """Whether a variable is stored in a container, or given to a function or method."""
    match node:
        case cst.Assign(targets=targets, value=cst.Name(value=given)):
            return given == name and any(isinstance(target.target, cst.Subscript) for target in targets)
        case cst.Call(args=args):
            return any(dotted(item.value) == name for item in args)
    return False


def _found_to_be_class(test: cst.BaseExpression) -> str | None:
    """The variable of which a test says that it is a class: `inspect.isclass(kind)`, `isinstance(kind, type)`."""
    match test:
        case cst.Call(func=called, args=[cst.Arg(value=cst.Name(name))]) if dotted(called) in (
            "inspect.isclass",
            "isclass",
        ):
            return name
        case cst.Call(
            func=cst.Name("isinstance"), args=[cst.Arg(value=cst.Name(name)), cst.Arg(value=cst.Name("type"))]
        ):
            return name
    return None


def _is_table(value: Value) -> bool:
    """Whether it is a dict of classes and functions, or of such dicts, or one that may become so."""
    if value.kind is not Kind.DICT or not _is_followed(value):
        return False
    return value.elem is None or value.elem.is_a(Kind.CLASS, Kind.FUNCTION) or _is_table(value.elem)


def _is_followed(container: Value) -> bool:
    """Whether it is known where a container is made: what is stored into it is known there."""
    return any(site.startswith(MADE) for site in container.types)


def _indexes_array(node: cst.Subscript, indices: Sequence[Value | None]) -> bool:
    """Whether what stands in the brackets is for an array: slices among others, an ellipsis, a new axis or a mask."""
    known = [value for value in indices if value is not None]
    tensors = [value for value in known if value.kind is Kind.TENSOR]
    if any(value.const is ... or value.kind is Kind.NONE for value in known) or any(
        value.dtype == "bool" or value.rank for value in tensors
    ):
        return True
    return len(node.slice) > 1 and None in indices


def _slice_bounds(node: cst.Subscript) -> slice | None:
    part = node.slice[0].slice
    if not isinstance(part, cst.Slice) or part.step is not None:
        return None
    bounds: list[int | None] = []
    for end in (part.lower, part.upper):
        if end is None:
            bounds.append(None)
            continue
        try:
            bounds.append(ast.literal_eval(code(end)))
        except ValueError:
            return None
    return slice(*bounds)
