# also: nnx, linen
"""Tests are run by pytest, which takes what they return for a mistake."""

import os
import subprocess
import sys
from pathlib import Path

import torch

tests = Path(__file__).parent / "test_models.py"
command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error::pytest.PytestWarning", str(tests)]
ran = subprocess.run(command, capture_output=True, text=True, cwd=tests.parent, env=os.environ | {"JAX_PLATFORMS": "cpu"})
print(ran.returncode, "8 passed" in ran.stdout, torch.ones(2).tolist())
if ran.returncode:
    print(ran.stdout, ran.stderr)
