"""Methods of modules that give back the module whose methods they are."""

from __future__ import annotations

PLACING = frozenset({"to", "cuda", "cpu"})
"""They move it."""

SETTING = frozenset({"train", "eval", "requires_grad_"})
"""They set its mode, or whether it is trained."""

CASTING = frozenset({"float", "double", "half"})
"""They give its tensors another type."""

WRAPPING = PLACING | SETTING - {"requires_grad_"}
"""They may stand behind what makes a module, or gives it together with its state."""
