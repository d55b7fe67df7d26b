"""Rows whose `check` is skipped because arguments cannot be drawn or results not compared one by one: programs run them.

Each program defines `f()`, which returns what is the same in both libraries. What depends on the machine is run in the
translation only, for the kind of its result. A row that is skipped must be run here or be named in another test.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from torch2jax import convert
from torch2jax.ops.schema import names_of
from torch2jax.ops.tables import collect_rows, mappings_folder

HEAD = "import numpy as np\nimport torch\nimport torch.distributions as D\nimport torch.nn.functional as F\n\n\n"

PROGRAMS = {
    "torch.autograd.functional.hvp": """
        x, v = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 0.5])
        return torch.autograd.functional.hvp(lambda y: (y**3).sum(), x, v)""",
    "torch.autograd.functional.jacobian": """
        return torch.autograd.functional.jacobian(lambda y: y**2, torch.tensor([1.0, 2.0]))""",
    "torch.autograd.functional.vhp": """
        x, v = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 0.5])
        return torch.autograd.functional.vhp(lambda y: (y**3).sum(), x, v)""",
    "torch.func.grad_and_value": """
        return torch.func.grad_and_value(lambda y: (y**3).sum())(torch.tensor([1.0, 2.0]))""",
    "torch.func.jacfwd": "return torch.func.jacfwd(lambda y: y**2)(torch.tensor([1.0, 2.0]))",
    "torch.func.linearize": """
        x = torch.tensor([1.0, 2.0])
        value, derivative = torch.func.linearize(lambda y: y**2, x)
        return value, derivative(x)""",
    "torch.broadcast_shapes": "return tuple(torch.broadcast_shapes((2, 1), (3,)))",
    "torch.distributions.Distribution": "d = D.Normal(0.0, 1.0)\n    return isinstance(d, D.Distribution)",
    "torch.distributions.Transform": "t = D.transforms.ExpTransform()\n    return isinstance(t, D.Transform)",
    "torch.distributions.utils.clamp_probs": """
        from torch.distributions.utils import clamp_probs
        return clamp_probs(torch.tensor([0.0, 0.5, 1.0]))""",
    "torch.distributions.utils.logits_to_probs": """
        from torch.distributions.utils import logits_to_probs
        x = torch.tensor([-1.0, 0.5, 1.0])
        return logits_to_probs(x), logits_to_probs(x, is_binary=True)""",
    "torch.distributions.utils.probs_to_logits": """
        from torch.distributions.utils import probs_to_logits
        x = torch.tensor([0.0, 0.5, 0.25])
        return probs_to_logits(x)""",
    "torch.distributions.broadcast_all": """
        from torch.distributions.utils import broadcast_all
        a, b = broadcast_all(torch.ones(2, 1), torch.zeros(3))
        return a, b""",
    "Distribution.base_dist": "return D.Independent(D.Normal(torch.zeros(3), torch.ones(3)), 1).base_dist.loc",
    "Independent.reinterpreted_batch_ndims": """
        return D.Independent(D.Normal(torch.zeros(3), torch.ones(3)), 1).reinterpreted_batch_ndims""",
    "Distribution.component_distribution": """
        d = D.MixtureSameFamily(D.Categorical(torch.ones(2)), D.Normal(torch.tensor([0.0, 1.0]), torch.ones(2)))
        return d.component_distribution.loc""",
    "Distribution.mixture_distribution": """
        d = D.MixtureSameFamily(D.Categorical(torch.ones(2)), D.Normal(torch.tensor([0.0, 1.0]), torch.ones(2)))
        return d.mixture_distribution.probs""",
    "Distribution.df2": "return D.FisherSnedecor(torch.tensor(3.0), torch.tensor(4.0)).df2",
    "Transform.log_abs_det_jacobian": """
        x = torch.tensor([0.5, 1.0])
        t = D.transforms.ExpTransform()
        return t.log_abs_det_jacobian(x, torch.exp(x))""",
    "torch.finfo": "return torch.finfo(torch.float32).eps, torch.finfo(torch.float32).min",
    "torch.from_dlpack": "return torch.from_dlpack(np.arange(3.0, dtype=np.float32))",
    "torch.from_numpy": "return torch.from_numpy(np.arange(3))",
    "torch.frombuffer": "return torch.frombuffer(bytearray([1, 2, 3]), dtype=torch.uint8)",
    "torch.get_default_dtype": "return torch.zeros(2, dtype=torch.get_default_dtype())",
    "torch.iinfo": "return torch.iinfo(torch.int32).max, torch.iinfo(torch.uint8).min",
    "torch.jit.annotate": "return torch.jit.annotate(list[int], [1, 2])",
    "torch.linalg.qr": """
        q, r = torch.linalg.qr(torch.tensor([[1.0, 2.0], [3.0, 5.0], [6.0, 4.0]]))
        return q @ r, abs(r), q.T @ q""",
    "torch.qr": """
        q, r = torch.qr(torch.tensor([[1.0, 2.0], [3.0, 5.0], [6.0, 4.0]]))
        return q @ r, abs(r), q.T @ q""",
    "torch.nn.functional.max_unpool1d": """
        y, places = F.max_pool1d(torch.tensor([[[1.0, 3.0, 2.0, 0.5]]]), 2, return_indices=True)
        return F.max_unpool1d(y, places, 2)""",
    "torch.nn.functional.max_unpool3d": """
        y, places = F.max_pool3d(torch.arange(16.0).reshape(1, 1, 4, 2, 2), 2, return_indices=True)
        return F.max_unpool3d(y, places, 2)""",
    "torch.profiler.record_function": """
        with torch.profiler.record_function("here"):
            x = torch.ones(2)
        return x""",
    "torch.set_printoptions": "torch.set_printoptions(precision=2)\n    return torch.ones(2)",
    "torch.utils.data.SequentialSampler": "return list(torch.utils.data.SequentialSampler([5, 6, 7]))",
    "torch.utils.data.get_worker_info": "return torch.utils.data.get_worker_info() is None",
    "Tensor.is_cpu": "x = torch.ones(2)\n    return x.is_cpu",
    "Tensor.is_cuda": "x = torch.ones(2)\n    return x.is_cuda",
    "Tensor.is_pinned": "x = torch.ones(2)\n    return x.is_pinned()",
}
DRAWS = {
    "Distribution.rsample_n": "D.Normal(torch.zeros(3), torch.ones(3)).rsample_n(4)",
    "Distribution.sample_n": "D.Normal(torch.zeros(3), torch.ones(3)).sample_n(4)",
}
STARTED = "torch.distributed.init_process_group()\n    x = "  # before what only processes answer
MACHINE: Mapping[str, tuple[str, type]] = {
    "Tensor.pin_memory": ("torch.ones(2).pin_memory()", object),
    "torch.accelerator.current_accelerator": ("torch.accelerator.current_accelerator()", object),
    "torch.accelerator.current_device_index": ("torch.accelerator.current_device_index()", int),
    "torch.accelerator.set_device_index": ("torch.accelerator.set_device_index(0)", object),
    "torch.accelerator.device_count": ("torch.accelerator.device_count()", int),
    "torch.backends.cpu.get_cpu_capability": ("torch.backends.cpu.get_cpu_capability()", str),
    "torch.cuda.get_arch_list": ("torch.cuda.get_arch_list()", list),
    "torch.cuda.memory_summary": ("torch.cuda.memory_summary()", str),
    "torch.cuda.current_device": ("torch.cuda.current_device()", int),
    "torch.cuda.device_count": ("torch.cuda.device_count()", int),
    "torch.cuda.get_device_name": ("torch.cuda.get_device_name()", str),
    "torch.cuda.get_device_properties": ("torch.cuda.get_device_properties(0).total_memory", int),
    "torch.cuda.is_bf16_supported": ("torch.cuda.is_bf16_supported()", bool),
    "torch.cuda.max_memory_allocated": ("torch.cuda.max_memory_allocated()", int),
    "torch.cuda.max_memory_reserved": ("torch.cuda.max_memory_reserved()", int),
    "torch.cuda.mem_get_info": ('torch.cuda.mem_get_info("cuda")', tuple),
    "torch.cuda.memory_allocated": ("torch.cuda.memory_allocated()", int),
    "torch.cuda.memory_reserved": ('torch.cuda.memory_reserved("cuda:0")', int),
    "torch.cuda.set_device": ("torch.cuda.set_device(0)", object),
    "torch.get_default_device": ("torch.get_default_device()", object),
    "torch.distributed.get_rank": ("torch.distributed.get_rank()", int),
    "torch.distributed.get_node_local_rank": ("torch.distributed.get_node_local_rank()", int),
    "torch.distributed.get_world_size": (f"{STARTED}torch.distributed.get_world_size()", int),
    "torch.xpu.device_count": ("torch.xpu.device_count()", int),
}


def translated(program: str) -> dict[str, Any]:
    """The names of the translation of a program."""
    conversion = convert(program)
    assert conversion.ok, [str(remark) for remark in conversion.diagnostics]
    names: dict[str, Any] = {"__name__": "translated"}
    exec(conversion.text, names)
    return names


def program_of(body: str) -> str:
    lines = [re.sub("^        ", "    ", line) for line in body.strip("\n").split("\n")]
    lines[0] = f"    {lines[0].strip()}"
    return f"{HEAD}def f():\n" + "\n".join(lines) + "\n"


def flat(value: Any) -> list[np.ndarray]:
    parts = value if isinstance(value, (tuple, list)) else (value,)
    return [np.asarray(part) for part in parts]


@pytest.mark.filterwarnings("ignore:torch.qr is deprecated", "ignore:The given buffer is not writable")
@pytest.mark.filterwarnings("ignore:Attempted to insert a get_attr Node")  # of torch.func.linearize
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_computes_the_same(name: str) -> None:
    program = program_of(PROGRAMS[name])
    names: dict[str, Any] = {}
    exec(program, names)
    for ours, theirs in zip(flat(translated(program)["f"]()), flat(names["f"]()), strict=True):
        assert ours.shape == theirs.shape
        assert ours.dtype.kind == theirs.dtype.kind
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", DRAWS)
def test_draws_have_the_same_shape(name: str) -> None:
    import jax

    names = translated(program_of(f"return {DRAWS[name]}"))
    assert names["f"](key=jax.random.key(0)).shape == (4, 3)


def test_cauchy_draws_have_the_same_quartiles() -> None:
    """Their mean and spread do not exist."""
    import jax

    program = program_of("x = torch.zeros(3000)\n    x.cauchy_(1.0, 2.0)\n    return x")
    drawn = translated(program)["f"](key=jax.random.key(0))
    assert drawn.shape == (3000,)
    np.testing.assert_allclose(np.quantile(drawn, [0.25, 0.5, 0.75]), [-1.0, 1.0, 3.0], atol=0.3)


@pytest.mark.parametrize("name", MACHINE)
def test_what_depends_on_the_machine_runs(name: str) -> None:
    call, kind = MACHINE[name]
    assert isinstance(translated(program_of(f"x = {call}\n    return x"))["f"](), kind)


def test_a_machine_without_an_accelerator_has_no_capability() -> None:
    import jax

    if jax.default_backend() == "cpu":  # torch refuses the call there, too
        with pytest.raises(AttributeError):
            translated(program_of("return torch.cuda.get_device_capability()"))["f"]()


def test_memory_profiles_are_written(tmp_path: Path) -> None:
    """torch.cuda.memory._dump_snapshot."""
    file = tmp_path / "memory.prof"
    translated(program_of(f"torch.cuda.memory._dump_snapshot({str(file)!r})"))["f"]()
    assert file.stat().st_size > 0


def test_one_process_gathers_and_sends_objects_to_itself() -> None:
    """all_gather_object (gather_objects) and broadcast_object_list."""
    program = program_of("""
        torch.distributed.init_process_group()
        found = [None] * torch.distributed.get_world_size()
        sent = [5, "a"]
        torch.distributed.all_gather_object(found, {"rows": 3})
        torch.distributed.broadcast_object_list(sent, src=0)
        return found, sent""")
    assert translated(program)["f"]() == ([{"rows": 3}], [5, "a"])


IN_TESTS_OF_THEIR_OWN = {
    "Tensor.cauchy_",
    "torch.cuda.get_device_capability",
    "torch.cuda.memory._dump_snapshot",
    "torch.distributed._functional_collectives.gather_objects",
    "torch.distributed.broadcast_object_list",
    "torch.nn._incompatible_keys",  # messages_of_loading, in tests/scripts
    "torch.distributed._functional_collectives.own_part",  # gathered_embeddings, in tests/parallel
    "torch.distributed._functional_collectives.with_own_part",
}


def test_every_row_is_checked_or_run_by_a_test() -> None:
    tests = [path for path in Path(__file__).parent.parent.rglob("*.py") if path != Path(__file__)]
    text = "\n".join(path.read_text(encoding="utf-8") for path in tests)
    named = {*PROGRAMS, *DRAWS, *MACHINE, *IN_TESTS_OF_THEIR_OWN}
    loose = [
        f"{origin}: {names_of(row)[0]}"
        for _, row, origin in collect_rows(mappings_folder())
        if needs_a_test(row) and not any(name in named or is_named(name, text) for name in names_of(row))
    ]
    assert not loose, "\n".join(["rows that no test runs:", *loose])


def needs_a_test(row: Mapping[str, Any]) -> bool:
    """Whether a row is a translation that its own `check` does not compare with torch."""
    check = row.get("check")
    return "unsupported" not in row and "constant" not in row and (check is None or "skip" in check)


def is_named(name: str, text: str) -> bool:
    return re.search(rf"\b{name.rpartition('.')[2]}\b", text) is not None
