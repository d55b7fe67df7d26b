"""Weights of torchvision that a program names before it asks for them, and what they want pictures to be like.

weights = ResNet50_Weights.DEFAULT          weights = "DEFAULT"
net = resnet50(weights=weights)       ->    net = resnet50(weights=weights)
prepare = weights.transforms()              prepare = ImageClassification(crop_size=224, resize_size=232)

A name that has further uses keeps the weights as they are in the library, and those that make models are given the text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

import libcst as cst

from torch2jax.normalize.library_calls import Named
from torch2jax.program.definitions import Definition, Definitions, How
from torch2jax.records import dataclass
from torch2jax.syntax.edits import Edits, always, apply_edits
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import Index, build_index, choices

_PRESETS = "torchvision.transforms._presets"
_USUAL, _WIDER, _SHARP = "crop_size=224", "crop_size=224, resize_size=232", "interpolation=InterpolationMode.BICUBIC"
_FIRST = {
    _USUAL: """AlexNet DenseNet121 DenseNet161 DenseNet169 DenseNet201 GoogLeNet MobileNet_V2 MobileNet_V3_Large
        MobileNet_V3_Small ResNet18 ResNet34 ResNet50 ResNet101 ResNet152 ResNeXt50_32X4D ResNeXt101_32X8D Wide_ResNet50_2
        Wide_ResNet101_2 ShuffleNet_V2_X0_5 ShuffleNet_V2_X1_0 SqueezeNet1_0 SqueezeNet1_1 VGG11 VGG11_BN VGG13 VGG13_BN
        VGG16 VGG16_BN VGG19 VGG19_BN ViT_B_16 ViT_B_32 ViT_L_32""",
    _WIDER: "ConvNeXt_Base ConvNeXt_Large ResNeXt101_64X4D ShuffleNet_V2_X1_5 ShuffleNet_V2_X2_0",
    "crop_size=224, resize_size=230": "ConvNeXt_Small",
    "crop_size=224, resize_size=236": "ConvNeXt_Tiny",
    "crop_size=224, resize_size=242": "ViT_L_16",
    "crop_size=299, resize_size=342": "Inception_V3",
    "crop_size=384, resize_size=384": "EfficientNet_V2_S",
    "crop_size=480, resize_size=480": "EfficientNet_V2_M",
    f"crop_size=480, resize_size=480, mean=(0.5, 0.5, 0.5), std=(0.5, 0.5, 0.5), {_SHARP}": "EfficientNet_V2_L",
    f"crop_size=224, resize_size=256, {_SHARP}": "EfficientNet_B0",
    f"crop_size=240, resize_size=256, {_SHARP}": "EfficientNet_B1",
    f"crop_size=288, resize_size=288, {_SHARP}": "EfficientNet_B2",
    f"crop_size=300, resize_size=320, {_SHARP}": "EfficientNet_B3",
    f"crop_size=380, resize_size=384, {_SHARP}": "EfficientNet_B4",
    f"crop_size=456, resize_size=456, {_SHARP}": "EfficientNet_B5",
    f"crop_size=528, resize_size=528, {_SHARP}": "EfficientNet_B6",
    f"crop_size=600, resize_size=600, {_SHARP}": "EfficientNet_B7",
}
_SECOND = {
    _WIDER: """MobileNet_V2 MobileNet_V3_Large ResNet50 ResNet101 ResNet152 ResNeXt50_32X4D ResNeXt101_32X8D Wide_ResNet50_2
        Wide_ResNet101_2""",
    "crop_size=240, resize_size=255": "EfficientNet_B1",
}


def _members() -> dict[str, str]:
    found: dict[str, str] = {}
    for member, table in (("IMAGENET1K_V1", _FIRST), ("IMAGENET1K_V2", _SECOND)):
        for given, models in table.items():
            for model in models.split():
                found[f"{model}_Weights.{member}"] = found[f"{model}_Weights.DEFAULT"] = given
    return found


PREPARATIONS: Mapping[str, str] = _members()
"""By member: the arguments of the transform that makes pictures what these weights were trained with."""
Asks = Callable[[cst.Call], bool]


def with_named_weights(
    index: Index, full: Callable[[cst.BaseExpression], str], named: Named, makes_model: Asks, is_imported: bool
) -> Index:
    """The file where names hold weights as text; `full` is the name in the library of an expression, `named` the text of
    weights, and where it `is_imported`, others may ask for what the names of the module hold.
    """
    found = [node for node in index.attributes if named(node) is not None]
    kinds = [node for node in (*index.names, *index.attributes) if full(node).endswith("_Weights")]
    if not found and not kinds:
        return index
    return _Weights(index, full, named, makes_model, is_imported).rewritten(found, kinds)


@dataclass(slots=True)
class _Weights:
    index: Index
    full: Callable[[cst.BaseExpression], str]
    named: Named
    makes_model: Asks
    is_imported: bool
    definitions: Definitions = field(init=False)
    edits: Edits = field(default_factory=Edits)
    seen: set[cst.CSTNode] = field(default_factory=set)
    first: cst.CSTNode | None = None
    names: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.definitions = Definitions(self.index)
        fresh = FreshNames(name.value for name in self.index.names)
        self.names = {word: fresh(word) for word in ("ImageClassification", "InterpolationMode")}

    def rewritten(self, found: Sequence[cst.Attribute], kinds: Sequence[cst.BaseExpression]) -> Index:
        for node in found:
            self.rewrite(node)
        for kind in kinds:
            self.rewrite_annotation(kind)
        if not self.edits.touched():
            return self.index
        if self.first is not None:
            modules = (_PRESETS, _PRESETS.rpartition(".")[0])
            pairs = zip(modules, self.names.items(), strict=True)
            lines = [f"from {path} import {word}" + f" as {name}" * (name != word) for path, (word, name) in pairs]
            self.edits.before(
                self.index.top_level(self.first), lambda rewrite: [quote_statement(line) for line in lines]
            )
        return build_index(apply_edits(self.index.module, self.edits, self.index.parents))

    def rewrite(self, node: cst.Attribute) -> None:
        if self.prepare(node, node):
            return
        value, parent = self.whole(node)
        match parent:
            case cst.Arg() if not self.is_given_to_model(parent) and self.is_for_models(node):
                self.edits.replace(node, always(_text(self.named(node))))
            case cst.Param(default=default) if default is value and self.are_for_models(parent.name):
                self.edits.replace(node, always(_text(self.named(node))))
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as name)]):
                self.rewrite_variable(name)
            case cst.AnnAssign(target=cst.Name() as name):
                self.rewrite_variable(name)

    def whole(self, node: cst.BaseExpression) -> tuple[cst.BaseExpression, cst.CSTNode]:
        """The choice that an expression is a branch of, and what holds that."""
        parent = self.index.parents[node]
        while isinstance(parent, cst.IfExp) and parent.test is not node:
            node, parent = parent, self.index.parents[parent]
        return node, parent

    def rewrite_annotation(self, kind: cst.BaseExpression) -> None:
        """Let a parameter that is given weights for models be one of texts."""
        parent: cst.CSTNode = kind
        above = self.index.parents[kind]
        while isinstance(above, (cst.BaseExpression, cst.Index, cst.SubscriptElement, cst.Annotation)):
            parent, above = above, self.index.parents[above]
        if isinstance(parent, cst.Annotation) and isinstance(above, cst.Param) and self.are_for_models(above.name):
            self.edits.replace(kind, always(cst.Name("str")))

    # variables

    def rewrite_variable(self, name: cst.Name) -> None:
        every = self.definitions.every_of_name(name)
        owner = every[0].variable.owner if every else None
        if not every or every[0].node in self.seen:
            return
        self.seen.add(every[0].node)
        values = [item.value for item in every if item.how is How.ASSIGNED and item.value is not None]
        leaves = [leaf for value in values for leaf in choices(value)]
        is_seen_elsewhere = isinstance(owner, cst.ClassDef) or (self.is_imported and owner is self.index.module)
        if is_seen_elsewhere or len(values) < len(every) or not all(map(self.is_known, leaves)):
            return
        uses = [use for item in every for use in self.definitions.uses(item)]
        held = [leaf for leaf in leaves if self.named(leaf) is not None]
        asked = [use for use in dict.fromkeys(uses) if not self.is_for_models(use)]
        if asked and len({self.full(leaf) for leaf in held}) != 1:
            return
        others = [use for use in asked if not self.prepare(use, held[0])]
        kept = held if not others else [use for use in uses if use not in asked] if leaves == held[:1] else []
        for node in kept:
            self.edits.replace(node, always(_text(self.named(node) or self.named(held[0]))))

    def is_known(self, value: cst.BaseExpression) -> bool:
        return self.named(value) is not None or (isinstance(value, cst.Name) and value.value == "None")

    def prepare(self, node: cst.BaseExpression, weights: cst.BaseExpression) -> bool:
        """Make the transform of weights in the place of a call of `transforms`, if it is one."""
        asked = self.index.parents[node]
        call = self.index.parents[asked]
        given = PREPARATIONS.get(".".join(self.full(weights).split(".")[-2:]))
        match call:
            case cst.Call(func=cst.Attribute(value=value, attr=cst.Name("transforms")), args=[]) if value is node:
                if given is None:
                    return False
                self.first = self.first or call
                text = f"ImageClassification({given})"
                for word, name in self.names.items():
                    text = text.replace(word, name)
                self.edits.replace(call, always(quote(text)))
                return True
        return False

    # what is done with weights

    def is_for_models(self, node: cst.BaseExpression, seen: frozenset[cst.CSTNode] = frozenset()) -> bool:
        """Whether weights go to functions that make models, which take text as well, or are only compared with None."""
        value, parent = self.whole(node)
        match parent:
            case cst.IfExp() | cst.If() | cst.UnaryOperation(operator=cst.Not()):
                return True
            case cst.Comparison(
                comparisons=[cst.ComparisonTarget(operator=cst.Is() | cst.IsNot(), comparator=cst.Name("None"))]
            ):
                return True
            case cst.Arg(value=given) if given is value:
                parameter = self.parameter(parent)
                is_new = parameter is not None and parameter not in seen
                return self.is_given_to_model(parent) or (
                    is_new and parameter is not None and self.are_for_models(parameter.name, seen | {parameter})
                )
        return False

    def are_for_models(self, name: cst.Name, seen: frozenset[cst.CSTNode] = frozenset()) -> bool:
        """Whether that holds of what a parameter is given."""
        every = self.definitions.every_of_name(name)
        uses = [use for item in every for use in self.definitions.uses(item)]
        return len(every) == 1 and bool(uses) and all(self.is_for_models(use, seen) for use in uses)

    def is_given_to_model(self, arg: cst.Arg) -> bool:
        call = self.index.parents[arg]
        if not isinstance(call, cst.Call) or not self.makes_model(call) or arg.star:
            return False
        return arg.keyword.value == "weights" if arg.keyword is not None else call.args[0] is arg

    def parameter(self, arg: cst.Arg) -> cst.Param | None:
        """The parameter of a function of this file, or of the one that makes objects of a class, that an argument is for."""
        call = self.index.parents[arg]
        if (
            not isinstance(call, cst.Call)
            or not isinstance(call.func, cst.Name)
            or any(item.star for item in call.args)
        ):
            return None
        made: Definition | None = self.definitions.bound_once(call.func)
        function, skipped = (made.node if made is not None else None), 0
        if isinstance(function, cst.ClassDef):
            inits = [item for item in function.body.body if isinstance(item, cst.FunctionDef)]
            function, skipped = next((item for item in inits if item.name.value == "__init__"), None), 1
        if not isinstance(function, cst.FunctionDef) or function.decorators:
            return None
        plain = (*function.params.posonly_params, *function.params.params)
        if arg.keyword is None:
            place = list(call.args).index(arg) + skipped
            return plain[place] if place < len(plain) else None
        named = (*plain, *function.params.kwonly_params)
        return next((item for item in named if item.name.value == arg.keyword.value), None)


def _text(member: str | None) -> cst.BaseExpression:
    return cst.SimpleString(f'"{member}"')


__all__ = ["PREPARATIONS", "with_named_weights"]
