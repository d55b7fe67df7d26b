"""Settings for tests that compile thousands of tiny programs once each: XLA need not optimize them."""

import os

os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} --xla_backend_optimization_level=0".strip()
