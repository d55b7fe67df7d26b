"""`make demo`: translate a sample, show what changes, and measure how far the two programs are apart when they run."""

import sys
import tempfile
from pathlib import Path

SAMPLE = Path(__file__).parent.parent / "samples" / "mlp_classifier.py"
MODEL = "ResidualMLP"


def main() -> int:
    """Run the demonstration; the exit code is 1 if the translation needs a person or computes something else."""
    import torch2jax

    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, f"{SAMPLE.stem}_jax.py")
        conversion = torch2jax.convert_file(SAMPLE)
        output.write_bytes(conversion.to_bytes())
        print(conversion.diff(output.name))
    for remark in conversion.diagnostics:
        print(remark)
    if not conversion.ok:
        print("The translation needs a person: see the errors above.")
        return 1
    print("Running the original and the translation from the same weights, batches and random numbers ...", flush=True)
    try:
        compare(conversion.source, conversion.text)
    except AssertionError as error:
        print(f"The translation computes something else: {error}")
        return 1
    return 0


def compare(original: str, translation: str) -> None:
    """Print the largest differences of outputs and losses; AssertionError if they are more than rounding."""
    import numpy as np
    import torch

    from tests.equivalence.harness import build_pair, compare_training, load_module

    torch_module, jax_module = load_module(original, "original"), load_module(translation, "translation")
    pair = build_pair(getattr(torch_module, MODEL), jax_module, args=[torch_module.Config()])
    points = np.random.default_rng(0).standard_normal((50, 2), dtype=np.float32)
    outputs = np.asarray(pair.forward(points))
    with torch.no_grad():
        expected = pair.torch_model(torch.from_numpy(points)).numpy()
    pair.gradients(points)

    runs = compare_training(original, translation)
    losses = np.asarray(runs.losses), np.asarray(runs.jax_run.result)
    print(f"\n{'step':>6} {'torch':>12} {'jax':>12}")
    for step in (0, 1, 2, len(losses[0]) - 1):
        print(f"{step:>6} {losses[0][step]:>12.6f} {losses[1][step]:>12.6f}")
    print(
        f"\nlargest difference of outputs ({outputs.shape[0]} x {outputs.shape[1]}): {np.abs(outputs - expected).max():.1e}"
    )
    print("largest difference of gradients: within rounding (relative 1e-4)")
    print(
        f"largest difference of losses over {len(losses[0])} training steps: {np.abs(losses[0] - losses[1]).max():.1e}"
    )


if __name__ == "__main__":
    sys.exit(main())
