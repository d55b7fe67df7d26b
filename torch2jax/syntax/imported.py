"""One imported name, whoever asks for it: a file, a row of a project's own, support code."""

from torch2jax.records import dataclass


@dataclass(frozen=True, slots=True)
class Import:
    """`import module [as asname]` if `name` is None, else `from module import name [as asname]`.

    Relative modules begin with their dots.
    """

    module: str
    name: str | None = None
    asname: str | None = None

    @property
    def bound(self) -> str:
        """The name that the import binds."""
        return self.asname or self.name or self.module.partition(".")[0]
