"""Files of named arrays: the modules of safetensors for tensors of torch and for arrays of JAX, and what has one meaning in both.

Source: the API reference of safetensors, "Torch API" and "Flax API".
"""

OF_TORCH, OF_JAX = "safetensors.torch", "safetensors.flax"
FRAMEWORKS = frozenset({"pt", "torch", "pytorch"})
"""The names of torch where files are opened, and the one that gives arrays of JAX."""
FRAMEWORK_OF_JAX = "flax"
SAME = frozenset({"load", "load_file", "save", "save_file"})
READING = frozenset({f"{OF_JAX}.load", f"{OF_JAX}.load_file"})
"""What gives a dict of arrays."""
OPENING = "safetensors.safe_open"
OPENED = f"{OPENING}.file"
"""What is said of a file that is open."""
GIVING = f"{OPENED}.get_tensor"
