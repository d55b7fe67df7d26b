"""The table of everything torch2jax can say about a program, and the record of one such remark.

A remark is a `Diagnostic`: a code from `CODES`, a place and a message in the user's own words. Codes are stable: one is never
renumbered or given another meaning. A short name says the pattern that was found, not its remedy.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from string import Formatter
from types import MappingProxyType

from torch2jax.records import dataclass


class Severity(StrEnum):
    """How much a remark asks of the user: `ERROR` needs a person, `WARNING` a look, `INFO` nothing."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of remark. `message` has named fields in braces; the other texts explain it to someone who sees it first."""

    id: str
    severity: Severity
    name: str
    message: str
    what: str
    why: str
    instead: str

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the fields that the message needs, in order of appearance."""
        return tuple(dict.fromkeys(field for _, field, _, _ in Formatter().parse(self.message) if field))


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One remark about one place; lines and columns count from 1, and so does the cell of a notebook."""

    code: str
    path: str
    line: int
    column: int
    message: str
    cell: int | None = None

    def __post_init__(self) -> None:
        assert self.code in CODES_BY_ID, f"{self.code} is not in the table of diagnostics"
        assert self.line >= 1 and self.column >= 1, f"lines and columns count from 1, not {self.line}:{self.column}"

    @property
    def severity(self) -> Severity:
        """The severity that the table gives the code."""
        return CODES_BY_ID[self.code].severity

    def __str__(self) -> str:
        place = self.path if self.cell is None else f"{self.path}:cell {self.cell}"
        return f"{place}:{self.line}:{self.column}: {self.severity} {self.code} {self.message}"


_ERROR, _WARNING, _INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

CODES: tuple[Code, ...] = (
    # 0xx: files and the program as text
    Code(
        "T2J001",
        _ERROR,
        "syntax-error",
        "{reason}",
        "The file is not valid Python 3, so there is nothing to translate.",
        "Only text that Python itself accepts has a meaning that can be kept.",
        "Run `python -m py_compile` on the file, mend what it reports, and convert again.",
    ),
    Code(
        "T2J002",
        _ERROR,
        "unreadable-source",
        "{reason}",
        "The file is missing, may not be read, or is not text in the encoding that it declares (UTF-8 if it declares none).",
        "A guess at the encoding could change strings of the program without anybody noticing.",
        "Check the path, or save the file as UTF-8, or declare its encoding in the first line: `# -*- coding: latin-1 -*-`.",
    ),
    Code(
        "T2J003",
        _ERROR,
        "internal-error",
        "{where} is left as it was: internal error, {reason}",
        "torch2jax itself failed on this function, class or file; its text stands in the output unchanged and still needs torch.",
        "A fault of the translator must never turn into a translation that looks fine and is not.",
        "Translate the named part by hand or simplify it; set TORCH2JAX_DEBUG=1 to see the traceback for a bug report.",
    ),
    Code(
        "T2J004",
        _WARNING,
        "star-import-from-unknown",
        "`from {module} import *` may bind names that the translation relies on",
        "A star import from a module that torch2jax does not see binds names that it cannot know.",
        "If such a name is a torch function, or replaces one of the names used here, the translation would not notice.",
        "Import the names that are used: `from module import a, b`; or convert the whole folder, so that the module is seen.",
    ),
    Code(
        "T2J005",
        _ERROR,
        "loose-end",
        "the translation of this line {kind} `{name}`",
        "The finished translation was checked as text, and something in it cannot run: a name that nothing defines, or torch.",
        "It shows that a part of the program was not translated although no rule refused it: a fault of torch2jax.",
        "Mend the place in the translation by hand, and report the line.",
    ),
    Code(
        "T2J006",
        _ERROR,
        "untranslated-import",
        "`{name}` is imported, uses torch, and is not among the files that are translated",
        "A file of the same program that uses torch is imported; its translation will be needed in its place.",
        "The output would import the original, and with it torch, and get modules of the wrong kind.",
        "Translate the files together: `torch2jax convert FOLDER -o OUT`; their imports then fit.",
    ),
    Code(
        "T2J007",
        _ERROR,
        "unsettled-circle",
        "`{name}` is defined in a file that imports this one in a circle, and what it takes depends on what is decided here",
        "Files that import each other were looked at several times, and callers and functions still do not agree.",
        "A call that passes no key, state or optimizer state where one is taken fails, or computes something else.",
        "Move the functions that both files need into a third file.",
    ),
    Code(
        "T2J008",
        _ERROR,
        "order-changed",
        "the translation of `{statement}` stands {place}",
        "The finished translation was compared with the order of the original, and a statement no longer stands where it must: a fault of torch2jax.",
        "A statement in front of one that it depends on reads other values; one that has gone leaves out what it does.",
        "Move the line in the translation by hand, and report it.",
    ),
    # 1xx: assumptions
    Code(
        "T2J100",
        _INFO,
        "int64-narrows",
        "torch's {dtype} becomes 32 bits wide unless jax_enable_x64 is set",
        "The program makes int64 or float64 tensors, for instance with `torch.long` or by `torch.arange(n)`.",
        "JAX stores them in 32 bits unless 64-bit types are enabled; integers beyond two billion overflow, floats lose digits.",
        'Nothing, if 32 bits are enough; else `jax.config.update("jax_enable_x64", True)` at the start of the program.',
    ),
    Code(
        "T2J101",
        _INFO,
        "assumed-tensor",
        "`{name}` is taken to be a tensor",
        "Nothing in the program says what this value is, but it is used as only a tensor is.",
        "The translation of its methods is right for tensors; for a class of your own with the same method names it would not be.",
        "Annotate the parameter (`x: torch.Tensor`), and the remark disappears.",
    ),
    Code(
        "T2J102",
        _WARNING,
        "mixed-precision",
        "`{name}` is left out: everything is computed in the precision of the arrays themselves",
        "The program asks for mixed precision on a GPU, which torch leaves out, too, where there is none.",
        "float16 and bfloat16 save time and memory on a GPU, and round more than float32 does.",
        "Nothing, if float32 is fast enough; else cast the model and its inputs: `x.to(torch.bfloat16)`.",
    ),
    Code(
        "T2J103",
        _WARNING,
        "kept-weight-norm",
        "`{name}` keeps the two parts of its weight: its outputs are the same, the names in its state dict are not",
        "The program makes one weight of the direction and the length that weight_norm has made of it, which saves time.",
        "A layer of the translation cannot become one of another class; what it computes is the same with one part or two.",
        "Nothing, unless its parameters are read, saved or trained behind that line.",
    ),
    Code(
        "T2J104",
        _INFO,
        "absent-package",
        "`{name}` cannot be had without torch: the translation does what the program does where it is not installed",
        "The program imports a package that stands on torch, and says what it does where the import fails.",
        "Such a package is absent wherever torch is: its import would fail in the translation, and the handler would run.",
        "Nothing, unless the numbers of the two ways differ.",
    ),
    Code(
        "T2J105",
        _INFO,
        "silent-scheduler",
        "`verbose` of `{name}` is left out: the translation says nothing where the learning rate changes",
        "A scheduler was told to print its learning rates, as older versions of torch did.",
        "Today's torch has no such argument; the learning rates themselves are the same.",
        "Print the learning rate where you want to see it.",
    ),
    # 2xx: torch names and calls
    Code(
        "T2J200",
        _ERROR,
        "unsupported-torch-name",
        "`{name}` has no translation yet{hint}",
        "The program uses a function, class or constant of torch for which torch2jax has no rule.",
        "Leaving it out or replacing it by something similar would give other numbers.",
        "Write the operation with functions that are translated, or add a row for it to the mappings (one row of YAML is one function).",
    ),
    Code(
        "T2J201",
        _ERROR,
        "unsupported-argument",
        "`{name}` is translated, but not with `{argument}`",
        "The function has a rule, but the rule does not cover this argument or this value of it.",
        "Dropping an argument that matters would give other numbers.",
        "Leave the argument out where its default means the same, or write its effect as a separate operation.",
    ),
    Code(
        "T2J202",
        _ERROR,
        "bad-call",
        "the arguments do not fit `{name}`: {reason}",
        "The call has too many, too few or unknown arguments for the signature that torch documents.",
        "torch would raise an error here too, or the call uses an undocumented form whose meaning is not known.",
        "Compare the call with torch's documentation; arguments in a `*list` or `**dict` are best written out.",
    ),
    Code(
        "T2J203",
        _ERROR,
        "unsupported-method",
        "the method `{name}` of {owner} has no translation yet{hint}",
        "The value is known, but torch2jax has no rule for this method of it.",
        "JAX arrays and modules do not have torch's methods, so the call would fail when it runs.",
        "Write it as a function or with methods that are translated.",
    ),
    Code(
        "T2J204",
        _ERROR,
        "ambiguous-receiver",
        "`.{name}` means different things for a tensor and for other objects, and `{receiver}` could be either",
        "The method's name is known for tensors, but what this value is cannot be told.",
        "Translating a method of your own class as if it were torch's would be wrong, and so would be leaving torch's.",
        "Annotate the value (`x: torch.Tensor`), or assign it from something whose kind is known.",
    ),
    Code(
        "T2J205",
        _ERROR,
        "torch-name-as-value",
        "`{name}` is used as a value and has no counterpart that could be passed around{hint}",
        "A torch function or class is stored, passed or compared here instead of being called.",
        "Its translation depends on the arguments of a call, and here there are none.",
        "Wrap it: `lambda x: torch.relu(x)`; the call inside can then be translated.",
    ),
    Code(
        "T2J206",
        _ERROR,
        "unsupported-subclass",
        "`{name}` is a subclass of `{base}`, which cannot be subclassed in the translation",
        "Classes may derive from `nn.Module` and `Dataset`; other classes of torch have no counterpart to derive from.",
        "What the subclass overrides is called from inside torch, at moments that do not exist in JAX.",
        "Turn the class into an `nn.Module` or a function that holds the object instead of deriving from it.",
    ),
    Code(
        "T2J207",
        _ERROR,
        "ambiguous-store",
        "`{name}[...]` is written to, and what `{name}` is cannot be told: arrays of JAX take no stores",
        "A number, a slice or a tensor stands in the brackets, so that it may be a tensor, a list or a dictionary.",
        "A store to a tensor becomes `x = x.at[i].set(v)`, which would be wrong for a list, and the other way round.",
        "Annotate the value (`x: torch.Tensor`, `x: list`), or assign it from something whose kind is known.",
    ),
    Code(
        "T2J208",
        _ERROR,
        "ambiguous-update",
        "`{name} {operator} ...` changes the caller's argument if `{name}` is a tensor, and what it is cannot be told",
        "An unannotated parameter is changed by such an operator in a function of torch, and nothing else shows what it is.",
        "In place, torch changes a tensor for the caller, too; a number or an array of JAX gives the name a new value.",
        "Annotate the parameter (`x: torch.Tensor`, `scale: float`), or write `x = x * 0.5`.",
    ),
    Code(
        "T2J209",
        _ERROR,
        "foreign-kernel",
        "`{name}` is a kernel in {language}, which works on the memory of torch's tensors",
        "The program defines or starts a kernel that is written in a language for GPUs.",
        "It takes pointers and strides of tensors, and writes into its arguments; arrays of JAX have neither strides nor stores.",
        "Write the operation with jax.numpy, which XLA fuses, or as a kernel in Pallas (`jax.experimental.pallas`).",
    ),
    Code(
        "T2J210",
        _WARNING,
        "graph-is-not-recorded",
        "`{name}` is printed as `None`: JAX records no graph",
        "`y.grad_fn` is the node of the graph that torch records of what gave `y`. JAX differentiates functions instead.",
        "What such nodes print are names and addresses of torch's own objects: no number of the program depends on them.",
        "`jax.make_jaxpr(f)(x)` shows what a function computes.",
    ),
    # 3xx: values changed in place
    Code(
        "T2J300",
        _ERROR,
        "inplace-on-argument",
        "`{function}` changes its argument `{name}` in place, and its callers would not see the change{hint}",
        "A function writes into a tensor that its caller owns, and not every caller can be found and changed.",
        "JAX arrays never change; the new value exists only where it is returned to.",
        "Return the changed tensor and assign it at the call: `x = scale_(x)`.",
    ),
    Code(
        "T2J301",
        _ERROR,
        "inplace-on-view",
        "`{name}` is a view of `{base}`, and changing it in place changes both",
        "A tensor is written through a slice, `view`, transpose or another result that shares its memory.",
        "JAX arrays share no memory, so the tensor behind the view would keep its old values.",
        "Write to the tensor itself: `x[0] = v` instead of `row = x[0]` and a write to `row`.",
    ),
    Code(
        "T2J302",
        _ERROR,
        "inplace-in-expression",
        "`{operation}` changes `{name}` in the middle of an expression",
        "An operation that changes a tensor stands inside a larger expression, where a name cannot be bound again.",
        "Moving the change before or after the statement could change what the rest of the expression sees.",
        "Write the change as a statement of its own before the expression.",
    ),
    Code(
        "T2J303",
        _ERROR,
        "inplace-on-shared-object",
        "`{name}` is changed in place and may be shared with `{other}`",
        "A tensor that is kept in a list, dictionary or attribute is changed, and something else may refer to the same tensor.",
        "JAX would give a new value to one of the two and leave the other as it was.",
        "Use one name for the tensor, or `.clone()` it where two separate tensors are meant.",
    ),
    Code(
        "T2J304",
        _WARNING,
        "argument-changed-for-nobody",
        "`{function}` changes its argument `{name}` in place: callers that are not in sight must go on with the result{hint}",
        "A function that nobody calls here changes its argument in place, and returns that same tensor; or the `forward` of a module that nobody calls here changes what it is given.",
        "JAX arrays never change: what the function returns is right, and what its callers have passed is as it was.",
        "Go on with the result of each call: `x = scale_(x)`.",
    ),
    # 4xx: random numbers
    Code(
        "T2J400",
        _ERROR,
        "untracked-random-draw",
        "`{name}` draws random numbers in {place}, where no key can be passed",
        "Random numbers are drawn by something that others call without a key: a property, a cached function, a lambda in a container, a function given to a library.",
        "JAX draws from explicit keys; a fixed key here would give the same numbers each time.",
        "Move the draw into a function that is called where the numbers are needed.",
    ),
    Code(
        "T2J401",
        _ERROR,
        "reseed",
        "the random generator is seeded again in {place}",
        "`torch.manual_seed`, or setting the state of a generator, in a place from which the code that draws cannot be given the new key.",
        "Seeds are explicit keys in JAX; draws that happen elsewhere would not notice.",
        "Seed once at the start of the program, or pass a `torch.Generator` to the functions that draw.",
    ),
    Code(
        "T2J402",
        _WARNING,
        "seed-of-constructor",
        "the seed that `__init__` of `{name}` sets holds for what it draws itself, not for what is drawn behind it",
        "`torch.manual_seed` in an `__init__`: in torch all that the program draws later goes on from that seed.",
        "A constructor cannot hand a key back; what is drawn later goes on from the key that its caller has.",
        "Seed at the start of the program, if the later draws have to follow from that seed.",
    ),
    # 5xx: training
    Code(
        "T2J500",
        _ERROR,
        "unsupported-training-step",
        "this training step is not understood: {reason}",
        "Statements around `backward()` and `step()` do not form a step that can be written as a function of model, optimizer state and batch.",
        "JAX computes gradients of a function; the step must say what goes in and what comes out.",
        "Bring the step into the order zero_grad, forward, loss, backward, step, in one loop body or function.",
    ),
    Code(
        "T2J501",
        _ERROR,
        "optimizer-unknown-parameters",
        "it is not known which parameters `{name}` updates",
        "The optimizer is made from something other than the parameters of a module in sight.",
        "An Optax optimizer is applied to the same tree of parameters that it was initialised with.",
        "Pass `model.parameters()`, or groups made of the parameters of named submodules.",
    ),
    Code(
        "T2J502",
        _ERROR,
        "frozen-parameters",
        "`requires_grad` of `{name}` changes in a way that cannot be followed",
        "Parameters are frozen or released somewhere other than once, before training, for a submodule that is named.",
        "In JAX the trained part of a model is chosen where the gradient is taken; a flag that changes later has no effect there.",
        "Freeze whole submodules before the optimizer is made, or give only the trained parameters to the optimizer.",
    ),
    Code(
        "T2J503",
        _ERROR,
        "gradient-read",
        "`{name}.grad` is read where no translated `backward()` reaches",
        "The program looks at gradients outside the step that computed them.",
        "Gradients are results of a function in JAX, not attributes of parameters.",
        "Read the gradient between `backward()` and `step()`, or compute it with `torch.autograd.grad`.",
    ),
    Code(
        "T2J504",
        _ERROR,
        "host-effect-in-step",
        "`{operation}` in a training step acts on the world outside, and compiled code would do so once instead of each time",
        "Files, lists or other objects are changed in the middle of the forward pass or between `backward()` and `step()`.",
        "A compiled step runs its Python code only while it is being compiled.",
        "Move the effect behind the step and use the values that the step returns.",
    ),
    Code(
        "T2J505",
        _WARNING,
        "not-compilable",
        "`{function}` is left uncompiled: {reason}",
        "Python decides something from the values of tensors here, so the function runs, but operation by operation.",
        "`jax.jit` needs to know the path through the program before it knows the values. The numbers are right, the speed is not.",
        "Express the choice with `torch.where`, or move it out of the function.",
    ),
    Code(
        "T2J506",
        _ERROR,
        "unused-parameters",
        "some steps do not read `{name}`, whose parameters torch would then leave as they are; here the optimizer changes them",
        "A field with parameters takes no part in the forward pass, and the program trains with weight decay.",
        "An unused parameter has no gradient in torch, so that optimizers pass over it; in JAX its gradient is zero.",
        "Remove the field, or keep its parameters out of the optimizer.",
    ),
    Code(
        "T2J507",
        _ERROR,
        "scheduler",
        "this scheduler cannot become a schedule of its optimizer: {reason}",
        "A learning rate scheduler is used in a way that cannot be followed.",
        "In JAX a schedule is a part of the optimizer, a function of a count. Here it is not clear which optimizer it belongs to, "
        "or when it counts.",
        "Give the optimizer one of `optax.schedules` as its learning rate; it is called with the number of updates.",
    ),
    Code(
        "T2J508",
        _ERROR,
        "ranks",
        "`{name}` is not the same on all devices: {reason}",
        "A program for several processes uses a value that differs between them.",
        "In JAX one process drives all devices of a host. Steps run on every device; all other code runs once, with the values of "
        "the first device, and batches that hold the rows of all devices.",
        "Compute it inside of the training step, give the loader a `DistributedSampler`, or ask only whether the rank is 0.",
    ),
    Code(
        "T2J509",
        _WARNING,
        "single-device",
        "outside of steps `{name}` is known for one device only: with several the program stops there",
        "A program for several processes reduces, outside of its training steps, what a function is given, or computes with a rank.",
        "In JAX one process drives all devices of a host. Steps run on every device; all other code runs once, with the values of "
        "the first device. With one device these are all there are; with more an error is raised, rather than a wrong number.",
        "For several devices reduce inside of the training step, or in the function that calls it, and give the loader a `DistributedSampler`.",
    ),
    Code(
        "T2J510",
        _WARNING,
        "open-optimizer",
        "nothing says what `{name}` updates: it is taken for the parameters of `{trained}`, and `{other}` for a loss without any",
        "A function is given an optimizer and several modules, and neither the file nor the files translated with it show what is passed.",
        "The gradient is taken of the module whose parameters the optimizer has; one that only compares what others compute is a loss.",
        "Give the function one module, or translate it together with the code that calls it.",
    ),
    Code(
        "T2J511",
        _WARNING,
        "whole-parameters",
        "the parameters of `{name}` are whole on every device, not shared out over them",
        "A program with `FullyShardedDataParallel` or `fully_shard`, whose parameters lie in parts on the processes.",
        "The numbers are the same; each device needs the memory for all parameters, their gradients and the state of the optimizer.",
        "Where that is too much, give the parameters a `jax.sharding.NamedSharding` and compile the step with `jax.jit`.",
    ),
    Code(
        "T2J512",
        _WARNING,
        "one-data-set",
        "`{name}` draws a data set: all devices have the same one, where each process of torch has its own",
        "A program for several processes draws the samples of a data set without a seed that all of them share.",
        "Each device reads its share of the one data set; in torch each process reads its share of another one, unless all have the same seed. "
        "Single batches have the same distribution.",
        "Call `torch.manual_seed` with one number in all processes: then they have the same data set in torch, too.",
    ),
    Code(
        "T2J513",
        _WARNING,
        "replicas-of-one-device",
        "`{name}` is translated for one device: with several the program stops there",
        "`DataParallel` shares out the rows of a batch to replicas of a model, of which layers take statistics, or may do so.",
        "Each replica takes the statistics of its own rows, and the first one's are kept. With one device, these are all rows; with "
        "more an error is raised, rather than a wrong number.",
        "For several devices use `DistributedDataParallel`, whose statistics are those of each device in the translation, too.",
    ),
    Code(
        "T2J514",
        _WARNING,
        "used-up-iterator",
        "this uses `{name}` up: `{idle}` behind it does nothing, and is left out",
        "What `parameters()`, or `itertools.chain` of such, gives is an iterator: the optimizer, list or loop that took it first has used it up.",
        "torch goes through no parameter behind that, and says nothing: the translation does the same.",
        "If the parameters are meant, keep a list of them: `params = list(net.parameters())`.",
    ),
    Code(
        "T2J515",
        _WARNING,
        "gradient-begins-anew",
        "`{function}` takes the gradient of its argument `{name}`: callers that are not in sight must pass tensors that have none yet",
        "A function that nobody calls here sets `requires_grad` of what it is given, and reads its `.grad` behind `backward()`.",
        "torch adds to the gradient that a tensor has already, from an earlier call say. JAX keeps no gradients with arrays.",
        "Pass a new tensor to each call: `attack(model, x.clone(), y)`.",
    ),
    # 6xx: modules
    Code(
        "T2J601",
        _ERROR,
        "dynamic-module-attribute",
        "`{name}` of module `{module}` is made in a way that cannot be followed",
        "Submodules or parameters are added by `setattr`, `add_module` with a computed name, or after `__init__`.",
        "Modules in JAX declare their attributes, and code that reads them must find the same names.",
        "Keep a variable number of submodules in an `nn.ModuleList` or `nn.ModuleDict`.",
    ),
    Code(
        "T2J602",
        _ERROR,
        "hook",
        "`{name}` attaches a hook",
        "A function is called by torch during the forward or backward pass of a module or tensor.",
        "Modules take forward hooks only where all of them are made in sight, and steps of training run them where nothing in the middle of "
        "a step looks at what they keep: JAX functions have no other moment at which hooks could run.",
        "Call the function in `forward`; for gradients use `torch.autograd.Function`, or clip and log in the training step.",
    ),
    Code(
        "T2J603",
        _ERROR,
        "unsupported-module-method",
        "`{name}` of modules has no translation yet",
        "The method of `nn.Module` that is called or overridden here has no rule.",
        "Modules of JAX libraries do not have it, so the program would fail or silently skip it.",
        "Write what the method does as a function of the module.",
    ),
    Code(
        "T2J604",
        _ERROR,
        "shared-module",
        "`{name}` is the same module or parameter as `{other}`, and the translation would hold two copies of it",
        "One layer or parameter is kept in two fields, or in a field and in a container.",
        "JAX modules are trees of values: two fields are two leaves, which training would move apart.",
        "Keep it in one field and use that one; tie weights as in `self.head.weight = self.embedding.weight`, which is translated.",
    ),
    Code(
        "T2J605",
        _ERROR,
        "unknown-module-class",
        "nothing says which class `{name}` is of, so it is called as a module without state and randomness",
        "A module is a parameter, and neither the file nor the files translated with it show what is passed for it.",
        "BatchNorm needs its state and dropout a key in every call; a translation that leaves them out fails or trains otherwise.",
        "Annotate the parameter (`model: Net`), or convert all files of the program at once: `torch2jax convert FOLDER -o OUT`.",
    ),
    Code(
        "T2J606",
        _ERROR,
        "changing-module-field",
        "`{name}` of module `{module}` changes after `__init__`: {reason}",
        "A field that a method writes to is state of the module, like the running statistics of BatchNorm.",
        "Such a field is kept in the state that calls take and give back, and what is done here has no place there.",
        "Set the field in `__init__`, to tensors or numbers, and change it by statements of its own in methods of the module.",
    ),
    Code(
        "T2J607",
        _WARNING,
        "module-of-any-class",
        "nothing says which class `{name}` is of: it may draw, and must keep no state",
        "A module is a parameter, and neither the file nor the files translated with it show what is passed for it.",
        "It is called as `call(model, x, key=key)`, which serves modules of all kinds except those that keep state, such as BatchNorm's running statistics: these raise a TypeError.",
        "Annotate the parameter (`model: Net`), or convert all files of the program at once: `torch2jax convert FOLDER -o OUT`.",
    ),
    Code(
        "T2J608",
        _ERROR,
        "test-for-derived-layer",
        "the test for `{name}` does not find the layers of the program that derive from it, in {file}",
        "The program asks whether a module is a layer of torch, and a class of its own, mostly in another file, derives from this layer.",
        "Such a class is translated with a base of its own in the place of torch's layer, of which the test knows nothing: the layer would be passed over.",
        "Test for the class as well: `isinstance(m, (nn.Linear, MyLinear))`; or move it into the file with the test.",
    ),
    Code(
        "T2J609",
        _ERROR,
        "program-name-as-text",
        "`{name}` may be `{other}`, whose calls gain arguments or results that are not given here",
        "A function or class of the program is looked up by its name as text, as in `getattr(models, name)`, or it stands beside others, of which not all make modules with state, or `partial` has given it its first arguments.",
        "What draws is called with a key in JAX, and what keeps state with that; which of them is called here is not known.",
        "Choose it in plain code: from a dictionary of the functions or classes by their names, or with `if` and `elif`; put those that make modules with state into one of their own.",
    ),
    Code(
        "T2J610",
        _WARNING,
        "unread-field",
        "`{name}` of `{module}` is not kept: nothing in sight reads it",
        "A method of a module sets a field that no file of the program reads, attention weights kept to be looked at, say; or a trainer names "
        "an optimizer that another object steps.",
        "Modules are values in JAX: what their calls set is state, which has to be handed through all calls. What nobody reads is left out.",
        "Read the field in the program (`print(model.attn)`), and it is kept as state.",
    ),
    Code(
        "T2J611",
        _ERROR,
        "held-function",
        "`{name}` is kept by a module and holds `{held}`: the translation would go on with the values from before",
        "A module keeps a function, or an object that is no module, which holds a module or parameter itself: "
        "`self.act = partial(self.scaled, 2)`, `Residual(lambda x: self.fc(x))`.",
        "Transformed functions of JAX compute with copies of modules, or with new ones in their place. What the function holds "
        "would be none of these: it is not trained, and not changed.",
        "Make it a method of the module that has the parts, or give the module the part itself and call it there.",
    ),
    Code(
        "T2J612",
        _ERROR,
        "no-definition",
        "`{name}` has no form yet where modules are definitions: {reason}",
        "With this target a module is a definition: its parts are made in `setup` each time it is used, and its arrays lie outside, "
        "in variables.",
        "What is done here to a module, while it is made or later, cannot be said of a definition, or is not translated yet.",
        "Make parts and parameters in `__init__` by plain assignments, and start them as the reason says; or convert with "
        "another target.",
    ),
    # 7xx: files with weights
)

CODES_BY_ID: Mapping[str, Code] = MappingProxyType({code.id: code for code in CODES})

UNREADABLE: tuple[str, ...] = ("T2J001", "T2J002")
"""Codes that say there is no program to translate."""


def diagnose(code: str, path: str, line: int, column: int, **fields: object) -> Diagnostic:
    """Make a remark whose message is the template of `code`, filled with `fields`; all fields must be given, and no others
    (`hint` may be left out).

    >>> str(diagnose("T2J200", "model.py", 3, 5, name="torch.svd"))
    'model.py:3:5: error T2J200 `torch.svd` has no translation yet'
    """
    entry = CODES_BY_ID[code]
    if "hint" in entry.fields:
        fields.setdefault("hint", "")
    assert set(fields) == set(entry.fields), f"{code} has the fields {entry.fields}, not {tuple(fields)}"
    return Diagnostic(code, path, line, column, entry.message.format_map(fields))


def find_code(text: str) -> Code | None:
    """The entry with this number or short name, in any mixture of upper and lower case."""
    wanted = text.strip().lower()
    return next((code for code in CODES if wanted in (code.id.lower(), code.name)), None)


def explain(code: str) -> str:
    """What `torch2jax explain` prints for a code or a short name; KeyError if there is none."""
    entry = find_code(code)
    if entry is None:
        raise KeyError(code)
    return (
        f"{entry.id} {entry.name} ({entry.severity})\n\n"
        f"    {entry.message}\n\n"
        f"What: {entry.what}\n\nWhy: {entry.why}\n\nInstead: {entry.instead}\n"
    )


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Sort by place, then code, then message, and drop exact repetitions."""
    return tuple(sorted(set(diagnostics), key=lambda d: (d.path, d.cell or 0, d.line, d.column, d.code, d.message)))


def count_severities(diagnostics: Iterable[Diagnostic]) -> dict[Severity, int]:
    """How many remarks there are of each severity, zeros included."""
    counts = dict.fromkeys(Severity, 0)
    for diagnostic in diagnostics:
        counts[diagnostic.severity] += 1
    return counts


def build_report(
    version: str, files: Sequence[Mapping[str, object]], diagnostics: Iterable[Diagnostic]
) -> dict[str, object]:
    """The report as plain values, ready for JSON: version, files, diagnostics, summary."""
    ordered = in_order(diagnostics)
    counts = count_severities(ordered)
    return {
        "version": version,
        "files": [dict(file) for file in files],
        "diagnostics": [
            {
                "code": d.code,
                "severity": str(d.severity),
                "path": d.path,
                "line": d.line,
                "column": d.column,
                "message": d.message,
                **({} if d.cell is None else {"cell": d.cell}),
            }
            for d in ordered
        ],
        "summary": {
            "files": len(files),
            "errors": counts[Severity.ERROR],
            "warnings": counts[Severity.WARNING],
            "infos": counts[Severity.INFO],
        },
    }
