"""Programs of Python's own values beside torch: lists, dictionaries, objects and NumPy arrays change as before."""

import collections
import contextlib
import copy
import dataclasses
import enum
import functools
import json
import random
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

LIMIT = 3


class Box:
    def __init__(self, value):
        self.value = value

    def add(self, n):
        self.value += n


class Stack:
    def __init__(self):
        self.items = []

    def add_(self, item):
        self.items.append(item)
        return self

    def mul_(self, n):
        self.items = [n * item for item in self.items]
        return len(self.items)

    def zero_grad(self):
        self.items.append(0)

    def detach(self):
        return self


class Color(enum.Enum):
    RED = 1
    BLUE = 2


@dataclasses.dataclass
class Point:
    x: int
    y: int


class Pair(NamedTuple):
    first: int
    second: int


def case_tensor():
    return jnp.array([1.0]) + LIMIT


# unchanged
def case_list_store():
    items = [1, 2, 3]
    items[0] = 5
    return items


# unchanged
def case_list_slice_store():
    items = [1, 2, 3, 4]
    items[1:3] = [7]
    return items


# unchanged
def case_list_negative_store():
    items = [1, 2, 3]
    items[-1] += 4
    return items


# unchanged
def case_list_alias():
    a = [1, 2]
    b = a
    b.append(3)
    return a, b


# unchanged
def case_list_copy():
    a = [1, 2]
    b = list(a)
    b[0] = 9
    return a, b


# unchanged
def case_list_augmented():
    a = [1]
    b = a
    a += [2]
    return a, b


# unchanged
def case_list_methods():
    items = [3, 1, 2]
    items.sort()
    items.reverse()
    items.insert(0, 9)
    items.pop()
    items.extend([4, 4])
    items.remove(9)
    return items


# unchanged
def case_list_of_lists():
    grid = [[0] * 3 for _ in range(2)]
    grid[0][1] = 5
    row = grid[1]
    row[2] += 1
    return grid


# unchanged
def case_list_shared_rows():
    grid = [[0] * 2] * 2
    grid[0][0] = 1
    return grid


# unchanged
def case_list_delete():
    items = [1, 2, 3]
    del items[1]
    return items


# unchanged
def case_list_unpacked():
    first, *rest = [1, 2, 3]
    rest[0] = first
    return rest


# unchanged
def case_list_swapped():
    items = [1, 2]
    items[0], items[1] = items[1], items[0]
    return items


# unchanged
def case_list_cleared():
    items = [1, 2]
    other = items
    items.clear()
    return other


# unchanged
def case_list_index():
    items = ["a", "b"]
    return items.index("b"), items.count("a"), "a" in items


# unchanged
def case_dict_store():
    d = {}
    d["a"] = 1
    d["a"] += 2
    return d


# unchanged
def case_dict_int_keys():
    d = {0: "a"}
    d[0] = "b"
    d[1] = "c"
    return d


# unchanged
def case_dict_tuple_keys():
    d = {}
    d[0, 1] = 2
    d[1, 0] = 3
    return d


# unchanged
def case_dict_update():
    d = {"a": 1}
    d.update(b=2)
    d.setdefault("c", []).append(3)
    return d


# unchanged
def case_dict_pop():
    d = {"a": 1, "b": 2}
    value = d.pop("a")
    return value, d


# unchanged
def case_dict_loop():
    d = {"a": 1, "b": 2}
    for name in d:
        d[name] *= 2
    return d


# unchanged
def case_dict_items():
    d = {"a": 1, "b": 2}
    return {value: name for name, value in d.items()}


# unchanged
def case_dict_delete():
    d = {"a": 1, "b": 2}
    del d["a"]
    return d


# unchanged
def case_dict_nested():
    d = {"a": {"b": 1}}
    d["a"]["b"] += 1
    d["a"]["c"] = [0]
    d["a"]["c"][0] = 3
    return d


# unchanged
def case_dict_merged():
    d = {"a": 1} | {"b": 2}
    d |= {"c": 3}
    return d


# unchanged
def case_default_dict():
    counts = collections.defaultdict(int)
    for word in ["x", "y", "x"]:
        counts[word] += 1
    return dict(counts)


# unchanged
def case_counter():
    counts = collections.Counter("hello")
    counts.update("lo")
    return dict(counts)


# unchanged
def case_deque():
    queue = collections.deque([1, 2, 3], maxlen=3)
    queue.append(4)
    queue.rotate(1)
    return list(queue)


# unchanged
def case_set_methods():
    seen = set()
    seen.add(1)
    seen.update([2, 3])
    seen.discard(2)
    return sorted(seen)


# unchanged
def case_string_methods():
    text = "a,b"
    text = text.replace(",", ";")
    return text.split(";"), text.upper()


# unchanged
def case_string_augmented():
    text = "a"
    other = text
    text += "b"
    return text, other


# unchanged
def case_byte_array():
    data = bytearray(b"abc")
    data[0] = 120
    return data.decode()


# unchanged
def case_integers():
    a = 1
    b = a
    a += 1
    a *= 3
    a //= 2
    a **= 2
    a %= 5
    a <<= 1
    return a, b


# unchanged
def case_floats():
    a = 1.5
    b = a
    a /= 2
    a -= 0.25
    return a, b


# unchanged
def case_tuple_augmented():
    a = (1,)
    b = a
    a += (2,)
    return a, b


# unchanged
def case_while_loop():
    total, n = 0, 5
    while n:
        total += n
        n -= 1
    return total


# unchanged
def case_while_break():
    n = 0
    while True:
        n += 1
        if n > 3:
            break
    else:
        n = -1
    return n


# unchanged
def case_for_else():
    for i in range(3):
        if i == 5:
            break
    else:
        i = 10
    return i


# unchanged
def case_for_continue():
    kept = []
    for i in range(5):
        if i % 2:
            continue
        kept.append(i)
    return kept


# unchanged
def case_nested_loops():
    pairs = []
    for i in range(3):
        for j in range(i):
            pairs.append((i, j))
    return pairs


# unchanged
def case_enumerated():
    found = {}
    for position, letter in enumerate("abc", 1):
        found[letter] = position
    return found


# unchanged
def case_zipped():
    return [a * b for a, b in zip([1, 2], [3, 4])]


# unchanged
def case_comprehension_if():
    return [i for i in range(6) if i % 2 == 0 and i > 0]


# unchanged
def case_generator():
    squares = (i * i for i in range(4))
    return sum(squares)


# unchanged
def case_conditional():
    n = 3
    return "many" if n > 2 else "few"


# unchanged
def case_chained_comparison():
    n = 3
    return 0 < n <= 3 < 10


# unchanged
def case_boolean_operators():
    n = 0
    return n or 5, n and 5, not n


# unchanged
def case_walrus():
    if (n := len([1, 2])) > 1:
        return n
    return 0


# unchanged
def case_early_return():
    for i in range(4):
        if i == 2:
            return i
    return None


# unchanged
def case_try_except():
    try:
        return {}["a"]
    except KeyError:
        return "missing"


# unchanged
def case_try_finally():
    log = []
    try:
        log.append(1)
    finally:
        log.append(2)
    return log


# unchanged
def case_raised():
    try:
        raise ValueError("no")
    except ValueError as error:
        return str(error)


# unchanged
def case_with_block():
    log = []
    with contextlib.suppress(ZeroDivisionError):
        log.append(1)
        log.append(1 // 0)
    return log


# unchanged
def case_asserted():
    n = 2
    assert n == 2, "two"
    return n


# unchanged
def case_matched():
    match [1, 2]:
        case [first, *rest]:
            return first, rest
    return None


# unchanged
def case_inner_function():
    def add(a, b=1):
        return a + b

    return add(1), add(1, b=2)


# unchanged
def case_closure():
    count = 0

    def more():
        nonlocal count
        count += 1
        return count

    more()
    return more()


# unchanged
def case_closure_on_list():
    log = []

    def note(item):
        log.append(item)

    note(1)
    note(2)
    return log


# unchanged
def case_changes_list_argument():
    def fill(items):
        items.append(1)
        items[0] = 0

    mine = [5]
    fill(mine)
    return mine


# unchanged
def case_changes_dict_argument():
    def fill(d):
        d["a"] = 1

    mine = {}
    fill(mine)
    return mine


# unchanged
def case_recursion():
    def depth(n):
        return 0 if n == 0 else 1 + depth(n - 1)

    return depth(4)


# unchanged
def case_lambda_kept():
    double = lambda n: 2 * n
    return double(4)


# unchanged
def case_mapped():
    return list(map(str, [1, 2])), list(filter(None, [0, 1]))


# unchanged
def case_sorted_by_key():
    return sorted(["bb", "a"], key=len), max([3, 1], key=lambda n: -n)


# unchanged
def case_partial_call():
    power = functools.partial(pow, 2)
    return power(5)


# unchanged
def case_reduced():
    return functools.reduce(lambda a, b: a * b, [1, 2, 3], 1)


# unchanged
def case_star_arguments():
    def all_of(*args, **kwargs):
        return args, kwargs

    return all_of(1, *[2, 3], a=4, **{"b": 5})


# unchanged
def case_object_fields():
    box = Box(1)
    other = box
    other.value += 1
    return box.value


# unchanged
def case_object_method():
    box = Box(1)
    box.add(3)
    return box.value


# unchanged
def case_object_list_field():
    box = Box([])
    box.value.append(1)
    box.value[0] = 2
    return box.value


# unchanged
def case_object_dict_field():
    box = Box({})
    box.value["a"] = 1
    return box.value


# unchanged
def case_object_copied():
    box = Box([1])
    other = copy.deepcopy(box)
    other.value[0] = 2
    return box.value, other.value


# unchanged
def case_object_in_list():
    boxes = [Box(1), Box(2)]
    for box in boxes:
        box.value *= 2
    return [box.value for box in boxes]


# unchanged
def case_object_attribute_set():
    box = Box(1)
    setattr(box, "value", 3)
    return getattr(box, "value"), hasattr(box, "other")


# unchanged
def case_numpy_store():
    a = np.zeros(3)
    a[0] = 1
    return a.tolist()


# unchanged
def case_numpy_view():
    a = np.arange(6).reshape(2, 3)
    row = a[0]
    row += 10
    return a.tolist()


# unchanged
def case_numpy_mask():
    a = np.array([1, -1, 2])
    a[a < 0] = 0
    return a.tolist()


# unchanged
def case_numpy_augmented():
    a = np.ones(2)
    b = a
    a += 1
    return b.tolist()


# unchanged
def case_numpy_argument():
    def fill(a):
        a[:] = 2

    mine = np.zeros(2)
    fill(mine)
    return mine.tolist()


# unchanged
def case_numpy_transposed():
    a = np.zeros((2, 3))
    a.T[0] = 1
    return a.tolist()


# unchanged
def case_numpy_filled():
    a = np.empty(2)
    a.fill(3)
    return a.tolist()


# unchanged
def case_numpy_sorted():
    a = np.array([3, 1])
    a.sort()
    return a.tolist()


# unchanged
def case_random_choice():
    generator = random.Random(0)
    items = [1, 2, 3]
    generator.shuffle(items)
    return sorted(items)


# unchanged
def case_random_state():
    rng = np.random.default_rng(0)
    return rng.integers(0, 5, 3).shape


# unchanged
def case_global_read():
    return LIMIT + 1


# unchanged
def case_formatted():
    name, n = "x", 1.5
    return f"{name}: {n:.2f} {n!r}", "%s" % name, "{}".format(n)


# unchanged
def case_printed():
    print("a", 1, sep="-", end="")
    return None


# unchanged
def case_range_sums():
    return sum(range(5)), min(3, 1), abs(-2), round(2.567, 1), divmod(7, 2)


# unchanged
def case_sliced():
    text = "abcdef"
    return text[1:3], text[::-1], text[-2:]


# unchanged
def case_multiple_targets():
    a = b = [1]
    a.append(2)
    return b


# unchanged
def case_swapped_names():
    a, b = 1, 2
    a, b = b, a
    return a, b


# unchanged
def case_shape_like_names():
    size, view, data, T = 1, 2, 3, 4
    return size + view + data + T


# unchanged
def case_methods_of_own():
    stack = Stack()
    stack.add_(1)
    stack.add_(2)
    return stack.mul_(3), stack.items


# unchanged
def case_own_zero_grad():
    stack = Stack()
    stack.zero_grad()
    return stack.items


# unchanged
def case_own_detach():
    stack = Stack()
    return stack.detach().items


# unchanged
def case_json_text():
    return json.loads(json.dumps({"a": [1, 2]}))


# unchanged
def case_enumeration():
    return [color.value for color in Color], Color.RED.name


# unchanged
def case_data_class():
    point = Point(1, 2)
    point.x += 1
    return point.x, dataclasses.replace(point, y=5).y


# unchanged
def case_named_tuple():
    pair = Pair(1, 2)
    return pair.first, pair._replace(first=3).first
