"""Puts the mapping tables into the wheel: the YAML files, and the one compiled file that loads fast."""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class MappingsHook(BuildHookInterface):  # type: ignore[type-arg]
    """`mappings/` -> `torch2jax/_mappings/`; an editable installation reads the folder itself."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from torch2jax.ops.tables import collect_rows, table_files

        folder = Path(self.root, "mappings")
        with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False, encoding="utf-8") as file:
            json.dump({"stamp": "packaged", "rows": collect_rows(folder)}, file)
        self._compiled = Path(file.name)
        included = {str(path): f"torch2jax/_mappings/{path.relative_to(folder)}" for path in table_files(folder)}
        build_data["force_include"].update({**included, file.name: "torch2jax/_mappings/compiled.json"})

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self._compiled.unlink()
