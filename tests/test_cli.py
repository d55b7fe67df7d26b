"""The command line as its users meet it. The translator is replaced by one that writes jax for torch."""

import json
import os
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from torch2jax import __version__, convert, convert_file, convert_tree
from torch2jax.cli import main
from torch2jax.diagnostics import Diagnostic, diagnose
from torch2jax.options import Options
from torch2jax.outputs import OutputError

TORCH = "import torch\n\n# kept\nx = torch.zeros(3)\n"
JAX = "import jax\n\n# kept\nx = jax.zeros(3)\n"
BAD = TORCH + "y = BAD\n"
BROKEN = "import torch\ndef f(:\n"


class Translation(NamedTuple):
    text: str
    diagnostics: tuple[Diagnostic, ...]
    support: tuple[str, ...] = ()
    support_file: Path | None = None


def translate_module(text: str, path: str, options: Options, workspace: object = None) -> Translation:
    if "torch" not in text and workspace is not None:
        return Translation(text, ())
    if "CRASH" in text:
        raise KeyError("a fault\nof the translator")
    remarks = [
        diagnose("T2J200", path, i, line.index("BAD") + 1, name="torch.bad")
        for i, line in enumerate(text.splitlines(), 1)
        if "BAD" in line
    ]
    return Translation(text.replace("torch", "jax").replace("TARGET", options.target), tuple(remarks))


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Outcome]


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder to work in, the stub in the place of the translator, and a memory of outputs of our own."""
    stub = types.ModuleType("torch2jax.translate")
    stub.translate_module = translate_module  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "torch2jax.translate", stub)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / ".state"))
    monkeypatch.delenv("TORCH2JAX_DEBUG", raising=False)
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str) -> Outcome:
        code = main(arguments)
        return Outcome(code, *capsys.readouterr())

    return run


def files() -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(Path().rglob("*")) if path.is_file()}


def check_refused(run: Run, *arguments: str, message: str) -> None:
    """Exit code 2, one line that says why, and not a byte written."""
    before = files()
    outcome = run(*arguments)
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.count("\n") == 1 and outcome.err.endswith("\n")
    assert message in outcome.err
    assert files() == before


def test_default_output_stands_beside_the_input(run: Run) -> None:
    Path("model.py").write_text(TORCH)
    outcome = run("convert", "model.py")
    assert outcome == (0, "", "torch2jax: model.py -> model_jax.py: no remarks\n")
    assert Path("model_jax.py").read_text() == JAX
    assert Path("model.py").read_text() == TORCH
    assert sorted(files()) == ["model.py", "model_jax.py"]


def test_output_file(run: Run) -> None:
    Path("model.py").write_text(TORCH)
    assert run("convert", "model.py", "-o", "out.py").code == 0
    assert Path("out.py").read_text() == JAX


def test_output_to_standard_output(run: Run) -> None:
    Path("model.py").write_text(TORCH)
    assert run("convert", "model.py", "-o", "-").out == JAX
    assert sorted(files()) == ["model.py"]


def test_output_may_be_a_device(run: Run) -> None:
    Path("model.py").write_text(TORCH)
    assert run("convert", "model.py", "-o", os.devnull).code == 0
    assert not Path(os.devnull).is_file()


def test_errors_give_exit_code_1_and_an_output(run: Run) -> None:
    Path("model.py").write_text(BAD)
    outcome = run("convert", "model.py")
    assert outcome.code == 1
    assert outcome.err == (
        "model.py:5:5: error T2J200 `torch.bad` has no translation yet\ntorch2jax: model.py -> model_jax.py: 1 error\n"
    )
    assert "jax.zeros" in Path("model_jax.py").read_text()


@pytest.mark.parametrize("asked, used", [([], "equinox"), (["--target", "flax"], "nnx")])
def test_target(run: Run, asked: list[str], used: str) -> None:
    Path("model.py").write_text("import torch\nTARGET\n")
    assert run("convert", "model.py", "-o", "-", *asked).out == f"import jax\n{used}\n"


def test_diff_writes_nothing(run: Run) -> None:
    Path("model.py").write_text(TORCH)
    outcome = run("convert", "model.py", "--diff")
    assert outcome.code == 0
    assert outcome.out == (
        "--- model.py\n+++ model.py\n@@ -1,4 +1,4 @@\n-import torch\n+import jax\n \n # kept\n"
        "-x = torch.zeros(3)\n+x = jax.zeros(3)\n"
    )
    assert sorted(files()) == ["model.py"]


def test_diff_with_output_writes_too(run: Run) -> None:
    Path("model.py").write_text(TORCH)
    assert run("convert", "model.py", "--diff", "-o", "out.py").out.startswith("--- model.py\n+++ out.py\n")
    assert Path("out.py").read_text() == JAX


def test_report(run: Run) -> None:
    Path("model.py").write_text(BAD)
    assert run("convert", "model.py", "--report", "report.json").code == 1
    report = json.loads(Path("report.json").read_text())
    assert report["version"] == __version__
    assert report["files"] == [{"path": "model.py", "output": "model_jax.py", "changed": True, "ok": False}]
    assert [(d["code"], d["line"], d["column"]) for d in report["diagnostics"]] == [("T2J200", 5, 5)]
    assert report["summary"] == {"files": 1, "errors": 1, "warnings": 0, "infos": 0}


def make_package() -> None:
    for name, text in {
        "pkg/__init__.py": "",
        "pkg/a.py": TORCH,
        "pkg/sub/b.py": TORCH,
        "pkg/data.txt": "torch",
        "pkg/.git/c.py": TORCH,
        "pkg/venv/pyvenv.cfg": "",
        "pkg/venv/d.py": TORCH,
    }.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)


@pytest.mark.parametrize("jobs", [[], ["--jobs", "2"]])
def test_folder_is_mirrored(run: Run, jobs: list[str]) -> None:
    make_package()
    outcome = run("convert", "pkg", "-o", "deep/out", *jobs)
    assert outcome == (0, "", "torch2jax: 3 files: no remarks\n")
    written = {name: data for name, data in files().items() if name.startswith("deep")}
    assert written == {
        "deep/out/__init__.py": b"",
        "deep/out/a.py": JAX.encode(),
        "deep/out/sub/b.py": JAX.encode(),
    }


def test_output_folder_inside_the_input_is_not_converted_again(run: Run) -> None:
    make_package()
    for _ in range(2):
        assert run("convert", "pkg", "-o", "pkg/out").code == 0
    assert not Path("pkg/out/out").exists()


def test_a_file_that_is_no_program_is_told_and_left_out(run: Run) -> None:
    make_package()
    Path("pkg/z.py").write_text(BROKEN)
    outcome = run("convert", "pkg", "-o", "out")
    assert outcome.code == 1
    assert outcome.err.startswith("pkg/z.py:2:7: error T2J001 ")
    assert sorted(name for name in files() if name.startswith("out")) == ["out/__init__.py", "out/a.py", "out/sub/b.py"]


@pytest.mark.parametrize("pattern", ["sub", "sub/", "b.py", "sub/*.py", "[b-z].py"])
def test_what_is_excluded_is_left_out(run: Run, pattern: str) -> None:
    make_package()
    assert run("convert", "pkg", "-o", "out", "--exclude", pattern).code == 0
    assert sorted(name for name in files() if name.startswith("out")) == ["out/__init__.py", "out/a.py"]


def test_a_support_module_needs_a_place(run: Run) -> None:
    Path("a.py").write_text(TORCH)
    check_refused(run, "convert", "a.py", "-o", "-", "--support", "module", message="--support inline")


def test_several_files(run: Run) -> None:
    Path("a.py").write_text(TORCH)
    Path("b.py").write_text("x = 1\n")
    assert run("convert", "a.py", "b.py", "-o", "out").code == 0
    assert Path("out/a.py").read_text() == JAX
    assert Path("out/b.py").read_text() == "x = 1\n"
    assert run("convert", "a.py", "b.py").code == 0
    assert Path("a_jax.py").read_text() == JAX


class TestRefusals:
    """Everything that ends with exit code 2."""

    @pytest.mark.parametrize(
        "text, place", [(BROKEN, "m.py:2:7: "), ("x = = 1\n", "m.py:1:5: "), ("x = '\0'\n", "m.py:1:")]
    )
    def test_syntax_error(self, run: Run, text: str, place: str) -> None:
        Path("m.py").write_text(text)
        check_refused(run, "convert", "m.py", message=f"{place}")
        check_refused(run, "convert", "m.py", "--report", "r.json", message="error T2J001 ")

    def test_wrong_encoding(self, run: Run) -> None:
        Path("m.py").write_bytes("import torch  # é\n".encode("latin-1"))
        check_refused(run, "convert", "m.py", message="m.py:1:1: error T2J002 cannot decode")
        Path("m.py").write_bytes(b"# coding: klingon\nimport torch\n")
        check_refused(run, "convert", "m.py", message="klingon")

    def test_missing_file(self, run: Run) -> None:
        check_refused(run, "convert", "m.py", message="m.py: no such file")

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
    def test_unreadable_file(self, run: Run) -> None:
        Path("m.py").write_text(TORCH)
        Path("m.py").chmod(0)
        check_refused(run, "convert", "m.py", message="Permission denied")

    def test_directory_as_output_file(self, run: Run) -> None:
        Path("m.py").write_text(TORCH)
        Path("out").mkdir()
        check_refused(run, "convert", "m.py", "-o", "out", message="out is a directory")
        check_refused(run, "convert", "m.py", "-o", "new/", message="new/ is a directory")
        Path("m_jax.py").mkdir()
        check_refused(run, "convert", "m.py", message="m_jax.py is a directory")

    def test_output_in_a_folder_that_does_not_exist(self, run: Run) -> None:
        Path("m.py").write_text(TORCH)
        check_refused(run, "convert", "m.py", "-o", "no/out.py", message="no does not exist")
        check_refused(run, "convert", "m.py", "-o", "m.py/out.py", message="m.py is not a directory")
        check_refused(run, "convert", "m.py", "--report", "no/r.json", message="no does not exist")

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
    def test_unwritable_output(self, run: Run) -> None:
        Path("m.py").write_text(TORCH)
        Path("locked").mkdir(mode=0o555)
        check_refused(run, "convert", "m.py", "-o", "locked/out.py", message="no permission")

    def test_write_that_fails_leaves_nothing_behind(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        Path("m.py").write_text(TORCH)

        def fail(_: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", fail)
        check_refused(run, "convert", "m.py", message="No space left on device")

    def test_output_that_somebody_else_wrote(self, run: Run) -> None:
        Path("m.py").write_text(TORCH)
        Path("m_jax.py").write_text("mine = 1\n")
        check_refused(run, "convert", "m.py", message="m_jax.py exists and was not made by torch2jax")
        assert run("convert", "m.py", "--force").code == 0
        assert Path("m_jax.py").read_text() == JAX

    def test_output_that_was_edited(self, run: Run) -> None:
        Path("m.py").write_text(TORCH)
        assert run("convert", "m.py").code == 0
        Path("m_jax.py").write_text(JAX + "# edited\n")
        check_refused(run, "convert", "m.py", message="was edited since")

    def test_input_is_never_overwritten(self, run: Run) -> None:
        Path("m.py").write_text(TORCH)
        Path("link.py").symlink_to("m.py")
        for output in ("m.py", "link.py", "./m.py"):
            check_refused(run, "convert", "m.py", "-o", output, "--force", message="is an input")
        make_package()
        check_refused(run, "convert", "pkg", "-o", "pkg", "--force", message="pkg")

    def test_several_files_with_the_same_output(self, run: Run) -> None:
        make_package()
        Path("other").mkdir()
        Path("other/a.py").write_text(TORCH)
        check_refused(run, "convert", "pkg/a.py", "other/a.py", "-o", "out", message="would both become out/a.py")
        check_refused(run, "convert", "pkg/a.py", "other/a.py", "-o", "-", message="standard output")
        check_refused(run, "convert", "pkg/a.py", "other/a.py", "-o", "pkg/data.txt", message="is a file")

    def test_one_edited_output_stops_a_folder(self, run: Run) -> None:
        make_package()
        assert run("convert", "pkg", "-o", "out").code == 0
        Path("out/a.py").write_text("edited")
        Path("pkg/sub/b.py").write_text(TORCH + "new = 1\n")
        check_refused(run, "convert", "pkg", "-o", "out", message="out/a.py exists")

    def test_folder_needs_an_output_folder(self, run: Run) -> None:
        make_package()
        Path("file.py").write_text("")
        check_refused(run, "convert", "pkg", message="name a folder")
        check_refused(run, "convert", "pkg", "-o", "-", message="standard output")
        check_refused(run, "convert", "pkg", "-o", "file.py", message="is a file")
        check_refused(run, "convert", "pkg", "file.py", "-o", "out", message="alone")
        Path("empty").mkdir()
        check_refused(run, "convert", "empty", "-o", "out", message="holds no program")

    def test_report_must_not_replace_a_program(self, run: Run) -> None:
        Path("m.py").write_text(TORCH)
        check_refused(run, "convert", "m.py", "--report", "m.py", message=".json")
        check_refused(run, "convert", "m.py", "-o", "r.json", "--report", "r.json", message="also an input or output")

    @pytest.mark.parametrize(
        "arguments",
        [
            [],
            ["frobnicate"],
            ["convert"],
            ["convert", "m.py", "--target", "tensorflow"],
            ["convert", "m.py", "--jobs", "0"],
            ["explain"],
            ["explain", "T2J999"],
        ],
    )
    def test_wrong_use(self, run: Run, arguments: list[str]) -> None:
        check_refused(run, *arguments, message="torch2jax: ")

    def test_notebook(self, run: Run) -> None:
        Path("m.ipynb").write_text("[1]")
        check_refused(run, "convert", "m.ipynb", message="m.ipynb:1:1: error T2J002 not a notebook")


def test_converting_again_needs_no_force(run: Run) -> None:
    Path("m.py").write_text(TORCH)
    assert run("convert", "m.py").code == 0
    assert run("convert", "m.py").code == 0
    Path("m.py").write_text(TORCH + "more = 1\n")
    assert run("convert", "m.py").code == 0
    assert Path("m_jax.py").read_text() == JAX + "more = 1\n"


def test_lost_memory_asks_for_force(run: Run, tmp_path: Path) -> None:
    Path("m.py").write_text(TORCH)
    assert run("convert", "m.py").code == 0
    (tmp_path / ".state" / "torch2jax" / "written").unlink()
    assert run("convert", "m.py").code == 0, "the same text may always be written again"
    (tmp_path / ".state" / "torch2jax" / "written").unlink()
    Path("m.py").write_text(TORCH + "more = 1\n")
    check_refused(run, "convert", "m.py", message="--force")


def test_memory_that_cannot_be_kept_is_no_error(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("m.py").write_text(TORCH)
    monkeypatch.setenv("XDG_STATE_HOME", str(Path("m.py").absolute()))
    assert run("convert", "m.py").code == 0


def test_permissions_of_an_output_are_kept(run: Run) -> None:
    Path("m.py").write_text(TORCH)
    assert run("convert", "m.py").code == 0
    assert Path("m_jax.py").stat().st_mode == Path("m.py").stat().st_mode
    Path("m_jax.py").chmod(0o751)
    Path("m.py").write_text(TORCH + "more = 1\n")
    assert run("convert", "m.py").code == 0
    assert Path("m_jax.py").stat().st_mode & 0o777 == 0o751


def test_a_link_is_written_through(run: Run) -> None:
    Path("m.py").write_text(TORCH)
    Path("real.py").write_text("")
    Path("link.py").symlink_to("real.py")
    assert run("convert", "m.py", "-o", "link.py").code == 0
    assert Path("link.py").is_symlink()
    assert Path("real.py").read_text() == JAX


def test_internal_error_leaves_the_text_alone(run: Run) -> None:
    Path("m.py").write_text("import torch\nCRASH\n")
    outcome = run("convert", "m.py")
    assert outcome.code == 1
    assert "m.py:1:1: error T2J003 the file is left as it was: internal error, KeyError: " in outcome.err
    assert outcome.err.count("\n") == 2
    assert Path("m_jax.py").read_text() == "import torch\nCRASH\n"


def test_internal_error_comes_through_for_developers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCH2JAX_DEBUG", "1")
    with pytest.raises(KeyError, match="a fault"):
        convert("import torch\nCRASH\n")


def test_explain(run: Run) -> None:
    outcome = run("explain", "t2j301")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith("T2J301 inplace-on-view (error)\n")


def test_version_and_help(run: Run) -> None:
    assert run("--version") == (0, f"torch2jax {__version__}\n", "")
    for arguments in (["--help"], ["convert", "--help"], ["explain", "--help"]):
        outcome = run(*arguments)
        assert (outcome.code, outcome.err) == (0, "")
        assert outcome.out.startswith("usage: torch2jax")


def test_module_can_be_run() -> None:
    done = subprocess.run([sys.executable, "-m", "torch2jax", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"torch2jax {__version__}\n"


def test_reader_that_has_enough_is_no_traceback() -> None:
    Path("m.py").write_text("x = 1\n" * 1_000_000)
    command = f"{sys.executable} -m torch2jax convert m.py -o - | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "x = 1\n")
    assert done.stderr in ("", "torch2jax: m.py: no remarks\n")  # a large pipe may have taken it all


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
def test_full_disk_is_no_traceback() -> None:
    Path("m.py").write_text("x = 1\n")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "torch2jax", "convert", "m.py", "-o", "-"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "torch2jax: the output cannot be written: No space left on device"
    assert "Traceback" not in done.stderr


def test_text_that_the_terminal_cannot_show() -> None:
    Path("m.py").write_text("import torch  # naïve → café\n", encoding="utf-8")
    script = (
        "import sys, types; sys.path.insert(0, sys.argv[1]); stub = types.ModuleType('torch2jax.translate');"
        "stub.translate_module = lambda t, p, o: types.SimpleNamespace(text=t.replace('torch', 'jax'), diagnostics=(), support=(), support_file=None);"
        "sys.modules[stub.__name__] = stub; from torch2jax.cli import main; sys.exit(main(['convert', 'm.py', '--diff']))"
    )
    root = str(Path(__file__).parent.parent)
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [sys.executable, "-c", script, root], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "+import jax  # na\\xefve \\u2192 caf\\xe9\n" in done.stdout


class TestLibrary:
    """What the command line is made of."""

    def test_convert(self) -> None:
        conversion = convert(BAD, path="m.py")
        assert conversion.text == JAX + "y = BAD\n"
        assert not conversion.ok
        assert [str(d) for d in conversion.diagnostics] == ["m.py:5:5: error T2J200 `torch.bad` has no translation yet"]
        assert conversion.diff("new.py").startswith("--- m.py\n+++ new.py\n")

    def test_program_that_does_not_parse_is_a_result(self) -> None:
        conversion = convert(BROKEN)
        assert (conversion.ok, conversion.unreadable, conversion.text) == (False, True, BROKEN)
        assert (conversion.diagnostics[0].code, conversion.diagnostics[0].path) == ("T2J001", "<string>")

    def test_line_map(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def insert(text: str, path: str, options: Options) -> Translation:
            return Translation("import jax\nimport jax.numpy as jnp\n" + text.replace("import torch\n", ""), ())

        monkeypatch.setattr(sys.modules["torch2jax.translate"], "translate_module", insert)
        assert convert("import torch\nx = 1\ny = 2\n").line_map == {1: 1, 2: 3, 3: 4}
        assert convert("a = 1\n").line_map == {1: 1}

    def test_options_are_checked(self) -> None:
        with pytest.raises(ValueError, match="equinox, nnx"):
            Options(target="flax")  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="inline, module, import"):
            Options(support="copy")  # type: ignore[arg-type]

    def test_convert_file_writes_nothing(self) -> None:
        Path("m.py").write_text(TORCH)
        assert convert_file("m.py").text == JAX
        assert convert_file("missing.py").diagnostics[0].code == "T2J002"
        assert sorted(files()) == ["m.py"]

    def test_convert_tree(self) -> None:
        make_package()
        assert sorted(map(str, convert_tree("pkg", "out"))) == ["out/__init__.py", "out/a.py", "out/sub/b.py"]
        Path("out/a.py").write_text("edited")
        with pytest.raises(OutputError, match="exists and was not made"):
            convert_tree("pkg", "out")
        convert_tree("pkg", "out", force=True)
        assert Path("out/a.py").read_text() == JAX

    @pytest.mark.parametrize("encoding", ["latin-1", "utf-8-sig", "cp1252"])
    def test_encoding_of_the_file_is_kept(self, encoding: str) -> None:
        cookie = "" if encoding == "utf-8-sig" else f"# coding: {encoding}\r\n"
        data = f"{cookie}import torch\r\nx = 'é'\r\n".encode(encoding)
        Path("m.py").write_bytes(data)
        assert convert_file("m.py").to_bytes() == data.replace(b"torch", b"jax")

    def test_translation_that_the_encoding_cannot_hold(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def add(text: str, path: str, options: Options) -> Translation:
            return Translation(text + "# →\n", ())

        monkeypatch.setattr(sys.modules["torch2jax.translate"], "translate_module", add)
        Path("m.py").write_bytes(b"# coding: latin-1\nimport torch\n")
        conversion = convert_file("m.py")
        assert [d.code for d in conversion.diagnostics] == ["T2J002"]
        assert not conversion.changed

    @pytest.mark.parametrize(
        "added, remark",
        [
            ("y = missing\n", "2:1: error T2J005 the translation of this line uses the undefined name `missing`"),
            ("import torch\n", "2:1: error T2J005 the translation of this line imports `torch`"),
        ],
    )
    def test_loose_ends_are_told(self, added: str, remark: str, monkeypatch: pytest.MonkeyPatch) -> None:
        def replace(text: str, path: str, options: Options) -> Translation:
            return Translation(text.replace("pass\n", added), ())

        monkeypatch.setattr(sys.modules["torch2jax.translate"], "translate_module", replace)
        conversion = convert("x = 'torch'\npass\n", path="m.py")
        assert [str(d) for d in conversion.diagnostics] == [f"m.py:{remark}"]

    def test_names_that_were_undefined_before_are_no_loose_ends(self) -> None:
        assert convert("import torch\ntorch.zeros(NOTEBOOK)\n").ok

    def test_translation_that_does_not_parse_is_an_internal_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def spoil(text: str, path: str, options: Options) -> Translation:
            return Translation(text + "def f(:\n", ())

        monkeypatch.setattr(sys.modules["torch2jax.translate"], "translate_module", spoil)
        conversion = convert("import torch\n")
        assert [d.code for d in conversion.diagnostics] == ["T2J003"]
        assert not conversion.changed

    def test_deep_programs_are_converted(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def descend(text: str, path: str, options: Options) -> Translation:
            def depth(n: int) -> int:
                return 0 if n == 0 else 1 + max([n - 1], key=depth)  # through C, so that the stack is really used

            return Translation(f"{text}# {depth(20_000)}\n", ())

        monkeypatch.setattr(sys.modules["torch2jax.translate"], "translate_module", descend)
        limit = sys.getrecursionlimit()
        assert convert("import torch\n").text == "import torch\n# 20000\n"
        assert sys.getrecursionlimit() == limit

    def test_deep_expression_without_torch(self) -> None:
        text = "x = " + "1 + " * 5_000 + "1\n"
        assert convert(text).text == text
