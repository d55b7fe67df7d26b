"""torch.utils._pytree: trees of lists, tuples and dicts as torch sees them. Dicts keep their order, None is a leaf, and so
are modules, which JAX's own functions go into.
"""

import collections
from typing import Any, NamedTuple


class TreeSpec(NamedTuple):
    """What torch.utils._pytree.tree_flatten says of a tree besides its leaves; `kind` is None for a leaf."""

    kind: Any
    context: Any
    children: tuple

    @property
    def num_leaves(self):
        return 1 if self.kind is None else sum(child.num_leaves for child in self.children)

    def unflatten(self, leaves):
        return tree_unflatten(leaves, self)


def tree_members(tree):
    """The kind of a node, what is needed to make it again, and its members; None for a leaf."""
    kind = type(tree)
    if kind in (dict, collections.OrderedDict):
        return kind, list(tree), list(tree.values())
    if kind is collections.defaultdict:
        return kind, (tree.default_factory, list(tree)), list(tree.values())
    if kind is collections.deque:
        return kind, tree.maxlen, list(tree)
    if kind in (list, tuple) or (issubclass(kind, tuple) and hasattr(kind, "_fields")):
        return kind, None, list(tree)
    return None


def tree_flatten(tree, is_leaf=None):
    """torch.utils._pytree.tree_flatten: the leaves in order, and how they stand."""
    node = None if is_leaf is not None and is_leaf(tree) else tree_members(tree)
    if node is None:
        return [tree], TreeSpec(None, None, ())
    kind, context, members = node
    parts = [tree_flatten(member, is_leaf) for member in members]
    return [leaf for leaves, _ in parts for leaf in leaves], TreeSpec(kind, context, tuple(spec for _, spec in parts))


def tree_unflatten(leaves, treespec):
    """torch.utils._pytree.tree_unflatten: the tree of some leaves."""
    leaves = iter(leaves)

    def build(spec):
        if spec.kind is None:
            return next(leaves)
        members = [build(child) for child in spec.children]
        if spec.kind in (dict, collections.OrderedDict):
            return spec.kind(zip(spec.context, members))
        if spec.kind is collections.defaultdict:
            return spec.kind(spec.context[0], zip(spec.context[1], members))
        if spec.kind is collections.deque:
            return spec.kind(members, maxlen=spec.context)
        return spec.kind(*members) if hasattr(spec.kind, "_fields") else spec.kind(members)

    return build(treespec)


def tree_leaves(tree, is_leaf=None):
    """torch.utils._pytree.tree_leaves."""
    return tree_flatten(tree, is_leaf)[0]


def tree_map(func, tree, *rests, is_leaf=None):
    """torch.utils._pytree.tree_map: a function of the leaves, also of several trees of one form."""
    leaves, spec = tree_flatten(tree, is_leaf)
    others = [leaves_below(rest, spec) for rest in rests]
    return tree_unflatten(list(map(func, leaves, *others)), spec)


def leaves_below(tree, spec):
    """What stands in a tree where another one has its leaves."""
    if spec.kind is None:
        return [tree]
    node = tree_members(tree)
    if node is None or node[0] is not spec.kind or len(node[2]) != len(spec.children):
        raise ValueError("the trees are not of one form")
    members = [tree[key] for key in spec.context] if spec.kind in (dict, collections.OrderedDict) else node[2]
    return [leaf for member, child in zip(members, spec.children) for leaf in leaves_below(member, child)]


def tree_map_only(types, func, tree, is_leaf=None):
    """torch.utils._pytree.tree_map_only: a function of the leaves of some types; others stay."""
    matches = types if callable(types) and not isinstance(types, type) else lambda leaf: isinstance(leaf, types)
    return tree_map(lambda leaf: func(leaf) if matches(leaf) else leaf, tree, is_leaf=is_leaf)
