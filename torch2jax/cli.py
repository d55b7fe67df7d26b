"""The command line: `torch2jax convert PATH...`, `torch2jax explain CODE|FILE.py:LINE`, `torch2jax support NAME` and
`torch2jax weights IN OUT`.

Exit codes: 0 converted, nothing left to do; 1 converted, but a person is needed for at least one error (of several files, some
may be no programs: they are told and left out); 2 wrong use, or no input that can be read. With 2 nothing at all has been written.
"""

import argparse
import gc
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TextIO

if TYPE_CHECKING:
    from torch2jax.diagnostics import Diagnostic
    from torch2jax.options import Options
    from torch2jax.pipeline import Conversion

CLEAN, NEEDS_PERSON, FAILED, INTERRUPTED = 0, 1, 2, 130


class UsageError(Exception):
    """What was asked for is impossible; the message is one line for the user."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    try:
        chosen = _build_parser().parse_args(arguments)
        code: int = chosen.command(chosen)
        sys.stdout.flush()
        return code
    except UsageError as error:
        return _fail(str(error))
    except SystemExit as leaving:  # argparse leaves so after --help, --version and wrong use
        return leaving.code if isinstance(leaving.code, int) else CLEAN
    except BrokenPipeError:
        # The reader, such as `head`, has enough. Python would complain once more when it closes the pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLEAN
    except OSError as error:
        return _fail(f"{error.filename or 'the output'} cannot be written: {error.strerror}")
    except KeyboardInterrupt:
        return _fail("interrupted", INTERRUPTED)


def command() -> NoReturn:
    """The process of one command. It ends at once: to look through its trees for garbage and to take them apart, only to give
    back memory that the system takes anyway, is a tenth of the time of a large file.
    """
    gc.disable()
    code = main()
    with suppress(OSError):  # `main` has told about it
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(FAILED, f"torch2jax: {message} (see `{self.prog} --help`)\n")


def _build_parser() -> argparse.ArgumentParser:
    from torch2jax.options import PARALLELS, SUPPORTS, TARGET_NAMES, TARGETS

    parser = _Parser(prog="torch2jax", description="Translate PyTorch programs into JAX programs.")
    parser.add_argument("--version", action=_Version, help="print the version and leave")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    convert = commands.add_parser(
        "convert",
        help="translate files or a folder",
        description="Translate files (to FILE_jax.py beside each) or a folder (to the folder that -o names).",
    )
    convert.add_argument("paths", nargs="+", metavar="PATH", help="a Python file, a notebook, or one folder")
    convert.add_argument(
        "-o", "--output", metavar="OUT", help="output file; `-`: standard output; folder, for folders or several files"
    )
    convert.add_argument("--target", choices=tuple(TARGET_NAMES), help=f"library for modules ({TARGETS[0]})")
    convert.add_argument(
        "--support",
        choices=SUPPORTS,
        help="helpers: in each file (for files), in one module of each package (for folders), or imported from torch2jax",
    )
    convert.add_argument(
        "--parallel",
        choices=PARALLELS,
        help="steps on several devices: jax.shard_map over a mesh, or jax.pmap",
    )
    convert.add_argument(
        "--exclude",
        action="append",
        default=[],
        metavar="GLOB",
        help="files or folders of a folder to leave out; repeatable",
    )
    convert.add_argument(
        "--mappings", action="append", metavar="FILE.yaml", help="rows for functions and layers of your own; repeatable"
    )
    convert.add_argument("--diff", action="store_true", help="print a diff; write no translation unless -o is given")
    convert.add_argument("--report", metavar="FILE.json", help="write the diagnostics as JSON")
    convert.add_argument("--force", action="store_true", help="overwrite files that torch2jax did not write")
    convert.add_argument("--jobs", type=_positive, metavar="N", help="processes for several files (1)")
    convert.set_defaults(command=_convert)

    explain = commands.add_parser(
        "explain",
        help="explain a diagnostic, or what becomes of a line",
        description="Explain a diagnostic; or say what is known of a line, and why it becomes what it becomes.",
    )
    explain.add_argument("code", metavar="CODE|FILE.py:LINE", help="such as T2J301, inplace-on-view or model.py:42")
    explain.set_defaults(command=_explain)

    support = commands.add_parser(
        "support",
        help="say what becomes of a torch name",
        description="Say what becomes of a public name of torch; of all names without one.",
    )
    support.add_argument(
        "name", nargs="?", metavar="NAME", help="such as torch.cat, nn.Linear, Tensor.view or torch.fft"
    )
    support.add_argument(
        "--usage",
        metavar="FILE.json",
        help="the share of uses translated, of the counts that the file has under `names`",
    )
    support.set_defaults(command=_support)

    weights = commands.add_parser(
        "weights",
        help="convert a file with weights",
        description="Convert a file of torch.save (.pt, .pth) to .safetensors, or back; torch is not needed.",
    )
    weights.add_argument("source", metavar="IN", help="a state dict, or a checkpoint that holds one")
    weights.add_argument("target", metavar="OUT", help="the file to write, as its name says")
    weights.add_argument("--key", metavar="NAME", help="which part of a checkpoint holds the weights, such as model")
    weights.add_argument("--prefix", default="", metavar="TEXT", help="what names begin with and lose, such as module.")
    weights.add_argument("--force", action="store_true", help="overwrite an existing file")
    weights.set_defaults(command=_weights)
    return parser


class _Version(argparse.Action):
    def __init__(self, option_strings: Sequence[str], dest: str, help: str | None = None) -> None:
        super().__init__(option_strings, dest, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from torch2jax import __version__

        _print(f"torch2jax {__version__}\n", sys.stdout)
        parser.exit(CLEAN)


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive whole number")
    return int(text)


def _explain(chosen: argparse.Namespace) -> int:
    from torch2jax.diagnostics import CODES, explain, find_code

    file, _, line = chosen.code.rpartition(":")
    if file.endswith(".py") and line.isdecimal():
        return _explain_line(Path(file), int(line))
    if find_code(chosen.code) is None:
        raise UsageError(f"there is no diagnostic {chosen.code!r}; the codes are {CODES[0].id} to {CODES[-1].id}")
    _print(explain(chosen.code), sys.stdout)
    return CLEAN


def _explain_line(file: Path, line: int) -> int:
    from torch2jax.explain import explain_line
    from torch2jax.syntax.source import SourceError

    try:
        text = explain_line(file, line)
    except (OSError, UnicodeError) as error:
        raise UsageError(f"{file} cannot be read: {error}") from error
    except (SourceError, ValueError) as error:
        raise UsageError(str(error)) from error
    _print(f"{text}\n", sys.stdout)
    return CLEAN


def _weights(chosen: argparse.Namespace) -> int:
    from torch2jax.weights import WeightsError, convert_weights

    source, target = Path(chosen.source), Path(chosen.target)
    if not source.is_file():
        raise UsageError(f"{source}: no such file")
    if target.exists() and not chosen.force:
        raise UsageError(f"{target} exists; --force overwrites it")
    try:
        count = convert_weights(source, target, chosen.key, chosen.prefix)
    except WeightsError as error:
        raise UsageError(str(error)) from error
    _print(f"torch2jax: {source} -> {target}: {count} arrays\n", sys.stderr)
    return CLEAN


def _support(chosen: argparse.Namespace) -> int:
    from torch2jax.coverage import decide, describe, describe_all, describe_usage, find_names, known_names, read_usage

    if chosen.usage is not None:
        if chosen.name is not None:
            raise UsageError("a name or --usage, not both")
        try:
            text = describe_usage(read_usage(Path(chosen.usage).read_text(encoding="utf-8")))
        except OSError as error:
            raise UsageError(f"{chosen.usage} cannot be read: {error.strerror}") from error
        except ValueError as error:
            raise UsageError(f"{chosen.usage} has no counts of uses: {error}") from error
    elif chosen.name is None:
        text = describe_all()
    elif any(name.startswith(f"{chosen.name}.") for name in known_names()) and chosen.name not in known_names():
        text = describe_all(chosen.name)
    else:
        found = find_names(chosen.name)
        if len(found) != 1:
            alike = f"; alike are {', '.join(found)}" if found else ""
            raise UsageError(f"torch has no public name {chosen.name!r}{alike}")
        text = describe(decide(found[0]))
    _print(f"{text}\n", sys.stdout)
    return CLEAN


def _convert(chosen: argparse.Namespace) -> int:
    from torch2jax.api import write_conversions
    from torch2jax.outputs import OutputError

    pairs = _pair_files(chosen)
    report = _check_report(chosen, pairs)
    if chosen.support == "module" and chosen.output == "-":
        raise UsageError("a support module is a file: name a file or folder with -o, or choose --support inline")
    options, jobs = _options(chosen)
    conversions = _convert_all([source for source, _ in pairs], options, jobs)
    unreadable = [conversion.diagnostics[0] for conversion in conversions if conversion.unreadable]
    if len(unreadable) == len(conversions):
        _print("".join(f"{remark}\n" for remark in unreadable), sys.stderr)
        return FAILED
    written = zip(pairs, conversions, strict=True)
    outputs = {output: item for (_, output), item in written if output is not None and not item.unreadable}
    try:
        write_conversions(outputs, force=chosen.force)
        if report is not None:
            _write_report(report, pairs, conversions)
    except OutputError as error:
        raise UsageError(str(error)) from error

    if chosen.diff:
        for (_, output), conversion in zip(pairs, conversions, strict=True):
            _print(conversion.diff(None if output is None else str(output)), sys.stdout)
    elif chosen.output == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(conversions[0].to_bytes())
    remarks = [remark for conversion in conversions for remark in conversion.diagnostics]
    _print("".join(f"{remark}\n" for remark in remarks) + _summarize(pairs, remarks), sys.stderr)
    return CLEAN if all(conversion.ok for conversion in conversions) else NEEDS_PERSON


def _pair_files(chosen: argparse.Namespace) -> list[tuple[Path, Path | None]]:
    """Each input file with the file that it becomes (None: none is written); UsageError if that makes no sense."""
    from torch2jax.outputs import OutputError, check_place

    sources = [Path(path) for path in chosen.paths]
    out = Path(chosen.output) if chosen.output not in (None, "-") else None
    for source in sources:
        if not source.exists():
            raise UsageError(f"{source}: no such file or folder")

    pairs: list[tuple[Path, Path | None]]
    if any(source.is_dir() for source in sources):
        pairs = _pair_folder(chosen, sources, out)
    elif len(sources) > 1:
        pairs = [(source, _beside(source) if out is None else out / source.name) for source in sources]
        if chosen.output == "-":
            raise UsageError("several files cannot all go to standard output; name a folder with -o")
        if out is not None and out.exists() and not out.is_dir():
            raise UsageError(f"{out} is a file; several files need a folder")
    else:
        pairs = [(sources[0], _beside(sources[0]) if out is None else Path(chosen.output))]
        if out is not None and chosen.output.endswith(("/", os.sep)):
            raise UsageError(f"the output {chosen.output} is a directory, and a file is needed")
    if chosen.output == "-" or (chosen.diff and out is None):
        return [(source, None) for source, _ in pairs]

    _refuse_collisions(pairs)
    for _, output in pairs:
        if output is not None and (output.exists() or (len(pairs) == 1 and not sources[0].is_dir())):
            try:
                check_place(output)
            except OutputError as error:
                raise UsageError(str(error)) from error
    return pairs


def _pair_folder(
    chosen: argparse.Namespace, sources: Sequence[Path], out: Path | None
) -> list[tuple[Path, Path | None]]:
    from torch2jax.api import pair_tree

    folder = sources[0]
    if len(sources) > 1:
        raise UsageError("a folder is converted alone; run torch2jax once for each")
    if chosen.output == "-":
        raise UsageError(f"{folder} is a folder and cannot go to standard output; name a folder with -o")
    if out is None and not chosen.diff:
        raise UsageError(f"{folder} is a folder; name a folder for the translation with -o")
    if out is not None and out.exists() and not out.is_dir():
        raise UsageError(f"{out} is a file; the translation of a folder needs a folder")
    pairs: list[tuple[Path, Path | None]] = list(pair_tree(folder, out or folder / ".torch2jax", chosen.exclude))
    if not pairs:
        raise UsageError(f"{folder} holds no program")
    return pairs


def _beside(source: Path) -> Path:
    return source.with_name(f"{source.stem}_jax{source.suffix if source.suffix == '.ipynb' else '.py'}")


def _refuse_collisions(pairs: Sequence[tuple[Path, Path | None]]) -> None:
    """No two files may become the same file, and none an input: not even with --force."""
    inputs = {os.path.realpath(source) for source, _ in pairs}
    taken: dict[str, Path] = {}
    for source, output in pairs:
        place = os.path.realpath(output) if output is not None else ""
        if place in inputs:
            raise UsageError(f"{output} is an input; the translation of {source} must not overwrite it")
        if place in taken:
            raise UsageError(f"{taken[place]} and {source} would both become {output}")
        taken[place] = source


def _check_report(chosen: argparse.Namespace, pairs: Sequence[tuple[Path, Path | None]]) -> Path | None:
    from torch2jax.outputs import OutputError, check_place

    if chosen.report is None:
        return None
    report = Path(chosen.report)
    if report.suffix != ".json":
        raise UsageError(f"the report {report} must be a .json file")
    if os.path.realpath(report) in {os.path.realpath(path) for pair in pairs for path in pair if path is not None}:
        raise UsageError(f"the report {report} is also an input or output")
    try:
        check_place(report)
    except OutputError as error:
        raise UsageError(str(error)) from error
    return report


def _options(chosen: argparse.Namespace) -> "tuple[Options, int]":
    """What was asked for, here or in the project's settings, and the number of processes; several files are one program."""
    from torch2jax.config import SettingsError, find_settings
    from torch2jax.options import TARGET_NAMES, TARGETS, Options, TableError
    from torch2jax.pipeline import check_mappings

    try:
        settings = find_settings(Path(chosen.paths[0]))
        options = Options(
            target=TARGET_NAMES[chosen.target] if chosen.target else settings.target or TARGETS[0],
            support=chosen.support or settings.support or ("module" if Path(chosen.paths[0]).is_dir() else "inline"),
            follow_imports=True,
            parallel=chosen.parallel or settings.parallel,
            mappings=tuple(chosen.mappings) if chosen.mappings else settings.mappings or (),
        )
        check_mappings(options)
    except (SettingsError, TableError) as error:
        raise UsageError(str(error)) from error
    return options, chosen.jobs or settings.jobs or 1


def _convert_all(sources: Sequence[Path], options: "Options", jobs: int) -> list["Conversion"]:
    from torch2jax.api import convert_file, convert_program

    if len(sources) == 1:
        return [convert_file(sources[0], options)]
    gc.enable()  # the trees of one file fit into memory, those of many may not
    with _progress(len(sources)) as done:
        return convert_program(sources, options, jobs=jobs, done=done)


@contextmanager
def _progress(count: int) -> Iterator[Callable[[str], None]]:
    """A bar on a terminal that moves with each file that is told to be done; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda name: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("converting", total=count)
        yield lambda name: progress.update(task, advance=1, description=Path(name).name)


def _write_report(report: Path, pairs: Sequence[tuple[Path, Path | None]], conversions: Sequence["Conversion"]) -> None:
    import json

    from torch2jax import __version__
    from torch2jax.diagnostics import build_report
    from torch2jax.outputs import write_all

    files = [
        {
            "path": str(source),
            "output": None if output is None else str(output),
            "changed": conversion.changed,
            "ok": conversion.ok,
        }
        for (source, output), conversion in zip(pairs, conversions, strict=True)
    ]
    content = build_report(__version__, files, (remark for c in conversions for remark in c.diagnostics))
    write_all({report: (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode("utf-8", "replace")})


def _summarize(pairs: Sequence[tuple[Path, Path | None]], remarks: Iterable["Diagnostic"]) -> str:
    from torch2jax.diagnostics import count_severities

    counts = count_severities(remarks)
    found = ", ".join(f"{n} {severity}{'s' if n != 1 else ''}" for severity, n in counts.items() if n) or "no remarks"
    source, output = pairs[0]
    what = (str(source) if output is None else f"{source} -> {output}") if len(pairs) == 1 else f"{len(pairs)} files"
    return f"torch2jax: {what}: {found}\n"


def _print(text: str, stream: TextIO) -> None:
    """Write text that may hold characters which the stream's encoding lacks; they are printed as escapes."""
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))


def _fail(message: str, code: int = FAILED) -> int:
    _print(f"torch2jax: {message}\n", sys.stderr)
    return code
