"""Loops over the modules of a model that change them."""

import inspect

import equinox as eqx
import jax

from torch2jax.runtime.checkpoints import named_children


class ModuleLoop:
    """Replaces modules as a loop over them changes them: each before its parts, in torch's order; tied arrays stay tied."""

    def __init__(self, function, named, key):
        self.function, self.named, self.renewed = function, named, {}
        self.key = key if "key" in inspect.signature(function).parameters else None

    def latest(self, leaf):
        """The array that replaced `leaf`, or `leaf`."""
        while id(leaf) in self.renewed:
            leaf = self.renewed[id(leaf)][1]
        return leaf

    def visit(self, module, name):
        """`function([name, ]module[, key=...])`, remembering which array replaced which, unless it is another module.

        A layer whose weight is computed from other parameters has `plain` and `with_plain`: the function is given the plain one."""
        if hasattr(module, "with_plain"):
            return module.with_plain(self.visit(module.plain(), name))
        kwargs = {}
        if self.key is not None:
            self.key, kwargs["key"] = jax.random.split(self.key)
        new = self.function(name, module, **kwargs) if self.named else self.function(module, **kwargs)
        old_arrays, new_arrays = (eqx.filter(x, eqx.is_array) for x in (module, new))
        is_other = jax.tree.structure(old_arrays) != jax.tree.structure(new_arrays)
        for before, after in zip(jax.tree.leaves(old_arrays), [] if is_other else jax.tree.leaves(new_arrays)):
            if before is not after:
                self.renewed[id(before)] = before, after
        return new

    def visit_all(self, module, name=""):
        """`module` with itself and everything below it visited."""
        module = self.visit(jax.tree.map(self.latest, module), name)
        return (
            module
            if hasattr(module, "with_plain")
            else self.visit_parts(module, f"{name}." if name else "", self.visit_all)
        )

    def visit_parts(self, module, prefix, visit):
        """`module` with its parts replaced by `visit(part, name)`."""
        parts = {id(part): (part, visit(part, prefix + name)) for name, part in named_children(module)}
        return jax.tree.map(
            lambda x: parts[id(x)][1] if id(x) in parts else x, module, is_leaf=lambda x: id(x) in parts
        )


def map_modules(function, module, *, named=False, key=None):
    """torch's `for m in module.modules():` with a body that changes m: each is replaced by `function(m[, key=...])`."""
    loop = ModuleLoop(function, named, key)
    return jax.tree.map(loop.latest, loop.visit_all(module))


def map_children(function, module, *, named=False, key=None):
    """The same for the direct parts of a module: torch's `for m in module.children():`."""
    loop = ModuleLoop(function, named, key)
    return jax.tree.map(loop.latest, loop.visit_parts(module, "", loop.visit))


def set_modules(function, module, *, named=False, key=None):
    """`map_modules` inside `module.__init__`, for the parts that the module has by now."""
    loop = ModuleLoop(function, named, key)
    fields = dict(vars(loop.visit(module, "")))
    for name, value in loop.visit_parts(fields, "", loop.visit_all).items():
        setattr(module, name, jax.tree.map(loop.latest, value))


def set_children(function, module, *, named=False, key=None):
    """`map_children` inside `module.__init__`, for the parts that the module has by now."""
    loop = ModuleLoop(function, named, key)
    for name, value in loop.visit_parts(dict(vars(module)), "", loop.visit).items():
        setattr(module, name, jax.tree.map(loop.latest, value))
