"""What random scripts are made of: models, data, losses, and the bookkeeping that stands between the pieces of a training loop.

`$m`, `$o`, `$x`, `$y`, `$out`, `$loss` and `$i` stand for names that are drawn for each script, `$s` for nothing or `self.`.
"""

from dataclasses import dataclass

EVERYWHERE = ("module", "function", "function of globals", "method")
OUTSIDE = ("module", "function", "function of globals")


@dataclass(frozen=True)
class Piece:
    """Lines for the places of a loop: before all (`setup`), before the loop (`init`), at the start of a round (`first`), behind the
    loss (`forward`), between `backward` and `step`, at the end of a round and of an epoch; and what is printed at last.
    """

    name: str
    names: tuple[str, ...] = ()
    layouts: tuple[str, ...] = EVERYWHERE
    setup: str = ""
    init: str = ""
    first: str = ""
    forward: str = ""
    between: str = ""
    last: str = ""
    epoch: str = ""
    shown: str = ""


NAMES = {
    "m": ("model", "model", "net", "params", "state", "key"),
    "o": ("optimizer", "optimizer", "opt", "updates", "opt_state"),
    "x": ("x", "x", "inputs", "key", "batch"),
    "y": ("y", "y", "labels", "target", "static"),
    "out": ("out", "out", "logits", "state", "grads"),
    "loss": ("loss", "loss", "loss", "error", "loss_fn"),
    "i": ("i", "i", "step", "key"),
}

_FILL = """
with torch.no_grad():
    for p in $m.parameters():
        p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape))
"""
_NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4, bias={bias})
        {extra}
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head({hidden})

$m = Net()
"""

MODELS = tuple(
    (_NET.format(extra=extra, hidden=hidden, bias="norm" not in extra) + _FILL).lstrip("\n")
    for extra, hidden in (
        ("self.scale = 0.5", "torch.tanh(self.fc(x))"),
        ("self.norm = nn.BatchNorm1d(4)", "torch.relu(self.norm(self.fc(x)))"),
        ("self.drop = nn.Dropout(0.0)", "self.drop(torch.sigmoid(self.fc(x)))"),
        ("self.register_buffer('factor', torch.full((4,), 0.5))", "torch.tanh(self.fc(x)) * self.factor"),
        ("self.norm, self.drop = nn.BatchNorm1d(4), nn.Dropout(0.0)", "self.drop(torch.tanh(self.norm(self.fc(x))))"),
        ("self.unused = nn.Linear(4, 2)", "torch.tanh(self.fc(x))"),
        ("self.mixed = nn.Linear(3, 4)", "torch.tanh(self.fc(x)) + self.mixed(x).detach()"),
        (
            "self.parts = nn.ModuleList([nn.Linear(4, 4) for _ in range(2)])",
            "self.parts[int(x.shape[0] > 3)](torch.tanh(self.fc(x)))",
        ),
    )
)
DATA = (
    "batches = [(torch.sin(torch.arange(12.0) + k).view(4, 3), torch.tensor([0, 1, 1, 0])) for k in range(3)]",
    "points = torch.cos(torch.arange(36.0)).view(12, 3)\nkinds = (points.sum(1) > 0).long()\nbatches = [(points[k : k + 4], kinds[k : k + 4]) for k in range(0, 12, 4)]",
    "from torch.utils.data import DataLoader, TensorDataset\npoints = torch.cos(torch.arange(36.0)).view(12, 3)\nbatches = DataLoader(TensorDataset(points, (points.sum(1) > 0).long()), batch_size=4)",
)
OPTIMIZERS = (
    "$o = torch.optim.SGD($m.parameters(), lr=0.2)",
    "$o = torch.optim.SGD($m.parameters(), lr=0.1, momentum=0.9, weight_decay=0.01)",
    "$o = torch.optim.Adam($m.parameters(), lr=0.05)",
    "$o = torch.optim.AdamW($m.parameters(), lr=0.05, weight_decay=0.2)",
    "$o = torch.optim.RMSprop($m.parameters(), lr=0.01, momentum=0.5)",
    "$o = torch.optim.AdamW($m.parameters(), lr=0.05, weight_decay=0.1)",
)
LOSSES = (
    "$out = $m($x)\n$loss = F.cross_entropy($out, $y)",
    "$out = $m($x)\n$loss = F.cross_entropy($out, $y, reduction='none').mean()",
    "$out = $m($x)\n$loss = (($out[:, 0] - $y.float()) ** 2).mean()",
    "$out = $m($x)\n$loss = 0\nfor row, label in zip($out, $y):\n    $loss = $loss - torch.log_softmax(row, 0)[label]\n$loss = $loss / len($x)",
    "$out = $m($x)\n$loss = -torch.log_softmax($out, 1).gather(1, $y.unsqueeze(1)).mean()",
)

PIECES = (
    Piece("counter", ("count",), init="$scount = 0", first="$scount += 1", forward="$loss = $loss / $scount", shown="$scount"),
    Piece("counter behind", ("seen",), init="$sseen = 0", forward="$loss = $loss / (1 + $sseen)\n$sseen += len($x)", shown="$sseen"),
    Piece("losses", ("losses",), init="$slosses = []", last="$slosses.append($loss.item())", shown="[round(v, 4) for v in $slosses]"),
    Piece("losses before", ("history",), init="$shistory = []", forward="$shistory.append($loss.item())", shown="[round(v, 4) for v in $shistory]"),
    Piece("losses kept", ("kept",), init="$skept = []", last="$skept.append($loss.detach())", shown="[round(v.item(), 4) for v in $skept]"),
    Piece("total", ("total",), init="$stotal = 0.0", last="$stotal += $loss.item() * len($x)", shown="round($stotal, 4)"),
    Piece("l2 loop", ("l2",), first="l2 = 0.0\nfor p in $m.parameters():\n    l2 = l2 + p.pow(2).sum()", forward="$loss = $loss + 0.01 * l2"),
    Piece("l2 loop behind", ("penalty",), forward="penalty = torch.tensor(0.0)\nfor name, p in $m.named_parameters():\n    if 'weight' in name:\n        penalty = penalty + p.abs().sum()\n$loss = $loss + 0.01 * penalty"),
    Piece("l2 sum", forward="$loss = $loss + 0.01 * sum(p.pow(2).sum() for p in $m.parameters())"),
    Piece("one-hot", ("onehot",), first="onehot = torch.zeros(len($x), 2)\nonehot.scatter_(1, $y.unsqueeze(1), 1.0)", forward="$loss = $loss + (($out - onehot) ** 2).mean()"),
    Piece("one-hot stored", ("targets",), forward="targets = torch.full((len($x), 2), 0.1)\ntargets[torch.arange(len($x)), $y] = 0.9\n$loss = $loss - (targets * torch.log_softmax($out, 1)).sum(1).mean()"),
    Piece("nan guard", ("skipped",), init="$sskipped = 0", first="if epoch == 0 and $i == 1:\n    $x = $x * float('nan')", forward="if torch.isnan($loss):\n    $sskipped += 1\n    continue", shown="$sskipped"),
    Piece("finite guard", ("large",), init="$slarge = 0", forward="if not torch.isfinite($loss) or $loss.item() > 100:\n    $slarge += 1\n    continue", shown="$slarge"),
    Piece("bank", ("bank",), init="$sbank = torch.zeros(3, 2)", forward="$loss = $loss + 0.1 * ($out.mean(0) - $sbank.mean(0)).pow(2).sum()\n$sbank[$i] = $out.detach().mean(0)", shown="[[round(v, 3) for v in row] for row in $sbank.tolist()]"),
    Piece("queue", ("queue",), init="$squeue = []", forward="if len($squeue) > 1:\n    $loss = $loss + 0.1 * ($out - torch.stack($squeue).mean(0)).pow(2).mean()\n$squeue.append($out.detach())\nif len($squeue) > 2:\n    $squeue.pop(0)", shown="len($squeue)"),
    Piece("moving average", ("average",), init="$saverage = 0.0", forward="$loss = $loss * (1 + $saverage)", last="$saverage = 0.9 * $saverage + 0.1 * $loss.item()", shown="round($saverage, 4)"),
    Piece("center", ("center",), init="$scenter = torch.zeros(2)", forward="$loss = $loss + ($out - $scenter).pow(2).mean()\n$scenter = 0.9 * $scenter + 0.1 * $out.detach().mean(0)", shown="[round(v, 4) for v in $scenter.tolist()]"),
    Piece("center behind", ("middle",), init="$smiddle = torch.zeros(2)", forward="$loss = $loss + ($out - $smiddle).pow(2).mean()", last="$smiddle = 0.9 * $smiddle + 0.1 * $out.detach().mean(0)", shown="[round(v, 4) for v in $smiddle.tolist()]"),
    Piece("snapshot", ("old", "moved"), init="$smoved = []", first="old = $m.fc.weight.detach().clone()", last="$smoved.append(($m.fc.weight.detach() - old).norm().item())", shown="[round(v, 4) for v in $smoved]"),
    Piece("norm before", ("norms",), init="$snorms = []", between="$snorms.append($m.fc.weight.norm().item())", shown="[round(v, 4) for v in $snorms]"),
    Piece("norm after", ("sizes",), init="$ssizes = []", last="$ssizes.append($m.head.bias.abs().sum().item())", shown="[round(v, 4) for v in $ssizes]"),
    Piece("mask", ("mask",), first="mask = torch.from_numpy((np.arange(len($x)) % 2 == epoch).astype(np.float32))", forward="$loss = $loss + (mask * $out.pow(2).sum(1)).mean()"),
    Piece("chosen by mask", ("chosen",), first="chosen = np.arange(len($x)) % 2 == epoch", forward="$loss = $loss + $out[torch.from_numpy(chosen)].pow(2).mean()"),
    Piece("early stop", ("best", "wait"), init="$sbest, $swait = float('inf'), 0", last="if $loss.item() < $sbest - 1e-2:\n    $sbest, $swait = $loss.item(), 0\nelse:\n    $swait += 1\n    if $swait > 1:\n        break", shown="(round($sbest, 3), $swait)"),
    Piece("best weights", ("lowest", "kept_weight"), init="$slowest, $skept_weight = 1e9, None", last="if $loss.item() < $slowest:\n    $slowest = $loss.item()\n    $skept_weight = $m.head.bias.detach().clone()", shown="[round(v, 4) for v in $skept_weight.tolist()]"),
    Piece("metrics", ("correct", "number"), init="$scorrect, $snumber = 0, 0", last="$scorrect += ($out.argmax(1) == $y).sum().item()\n$snumber += len($y)", shown="($scorrect, $snumber)"),
    Piece("metrics before", ("hits",), init="$shits = []", forward="hit = ($out.argmax(dim=1) == $y).float().mean()\n$shits.append(round(hit.item(), 3))", shown="$shits"),
    Piece("metrics without gradient", ("share",), init="$sshare = 0.0", forward="with torch.no_grad():\n    $sshare += torch.softmax($out, 1)[:, 0].mean().item()", shown="round($sshare, 4)"),
    Piece("clip", ("lengths",), init="$slengths = []", between="length = nn.utils.clip_grad_norm_($m.parameters(), 0.3)\n$slengths.append(length.item())", shown="[round(v, 4) for v in $slengths]"),
    Piece("gradients read", ("slopes",), init="$sslopes = []", between="$sslopes.append($m.fc.weight.grad.norm().item())", shown="[round(v, 4) for v in $sslopes]"),
    Piece("print", forward="print('round', $i, round($loss.item(), 4))"),
    Piece("print behind", last="if $i % 2 == 0:\n    print(f'{epoch}/{$i}: {$loss.item():.3f}')"),
    Piece("temperature", ("temperature",), first="temperature = max(0.5, 1.0 - 0.1 * $i)", forward="$loss = $loss / temperature"),
    Piece("own state", ("phase",), init="$sphase = {'step': 0, 'name': 'warmup'}", first="$sphase['step'] += 1\nif $sphase['step'] > 3:\n    $sphase['name'] = 'train'", forward="$loss = $loss * (0.5 if $sphase['name'] == 'warmup' else 1.0)", shown="$sphase"),
    Piece("names", ("rng_key", "loss_value"), init="$srng_key, $sloss_value = 'k', 0", last="$sloss_value = round($loss.item(), 4)", shown="($srng_key, $sloss_value)"),
    Piece("list of names", ("train_step",), init="$strain_step = 0", last="$strain_step = $strain_step + 1", shown="$strain_step"),
    Piece("closure", ("rounds", "weight_of"), ("module",), init="rounds = []\n\ndef weight_of():\n    return 1.0 / (1 + len(rounds))\n", forward="$loss = $loss * weight_of()", last="rounds.append($i)", shown="rounds"),
    Piece("helper", ("smoothed",), setup="def smoothed(values, factor=0.5):\n    return values.mean(0) * factor\n", forward="$loss = $loss + smoothed($out).pow(2).sum()"),
    Piece("helper of the model", ("size_of",), setup="def size_of(module):\n    return sum(p.abs().sum() for p in module.parameters())\n", forward="$loss = $loss + 0.001 * size_of($m)"),
    Piece("confusion", ("table",), init="$stable = torch.zeros(2, 2)", last="for a, b in zip($y.tolist(), $out.argmax(1).tolist()):\n    $stable[a, b] += 1", shown="$stable.tolist()"),
    Piece("input changed", ("changed",), first="changed = $x.clone()\nchanged[:, 0] *= -1\n$x = changed"),
    Piece("average of weights", ("ema",), init="$sema = [p.detach().clone() for p in $m.parameters()]", last="for e, p in zip($sema, $m.parameters()):\n    e.mul_(0.9).add_(p.detach(), alpha=0.1)", shown="[round(e.sum().item(), 3) for e in $sema]", layouts=("module", "function")),
    Piece("schedule", ("schedule",), init="schedule = torch.optim.lr_scheduler.StepLR($o, step_size=1, gamma=0.5)", epoch="schedule.step()", shown="schedule.get_last_lr()[0]", layouts=("function",)),
    Piece("rate set", last="for group in $o.param_groups:\n    group['lr'] = group['lr'] * 0.9"),
    Piece("epoch mean", ("means", "part"), init="$smeans = []\n$spart = []", last="$spart.append($loss.item())", epoch="$smeans.append(round(sum($spart) / len($spart), 4))\n$spart = []", shown="$smeans"),
    Piece("numpy log", ("logged",), init="$slogged = np.zeros((2, 3))", last="$slogged[epoch, $i] = $loss.item()", shown="[round(v, 3) for v in $slogged.flatten().tolist()]"),
    Piece("evaluated", ("scores",), init="$sscores = []", epoch="$m.eval()\nwith torch.no_grad():\n    $sscores.append(round($m(torch.ones(2, 3)).sum().item(), 3))\n$m.train()", shown="$sscores"),
    Piece("hardest", ("hardest",), init="$shardest = -1.0", last="if $loss.item() > $shardest:\n    $shardest = round($loss.item(), 4)", shown="$shardest"),
    Piece("weights of samples", ("weights_of",), init="$sweights_of = torch.ones(4)", forward="$loss = $loss + (torch.log_softmax($out, 1)[:, 0] * $sweights_of).mean()", last="$sweights_of[$i] = 0.5", shown="$sweights_of.tolist()"),
    Piece("difference of losses", ("previous", "changes"), init="$sprevious, $schanges = None, []", last="if $sprevious is not None:\n    $schanges.append(round($loss.item() - $sprevious, 4))\n$sprevious = $loss.item()", shown="$schanges"),
    Piece("part by turns", forward="if $i % 2 == 0:\n    $loss = $loss + $m.head(torch.relu($m.fc($x))).pow(2).mean()"),
    Piece("features", ("feats", "features"), init="$sfeatures = []", forward="feats = $m.fc($x).detach()\n$sfeatures.append(round(feats.sum().item(), 3))", shown="$sfeatures"),
    Piece("norm of all", ("total",), init="$stotal = []", last="$stotal.append(round(sum(p.norm().item() for p in $m.parameters()), 4))", shown="$stotal"),
    Piece("averaging object", ("Average", "averaged"), setup="class Average:\n    def __init__(self, module, decay):\n        self.decay = decay\n        self.shadow = {name: p.detach().clone() for name, p in module.named_parameters()}\n\n    def update(self, module):\n        for name, p in module.named_parameters():\n            self.shadow[name] = self.decay * self.shadow[name] + (1 - self.decay) * p.detach()\n", init="$saveraged = Average($m, 0.5)", last="$saveraged.update($m)", shown="[round(v.sum().item(), 3) for v in $saveraged.shadow.values()]"),
    Piece("meter object", ("Meter", "meter"), setup="class Meter:\n    def __init__(self):\n        self.sum, self.count = 0.0, 0\n\n    def update(self, value, n=1):\n        self.sum += value * n\n        self.count += n\n\n    @property\n    def mean(self):\n        return self.sum / max(self.count, 1)\n", init="$smeter = Meter()", last="$smeter.update($loss.item(), len($x))", shown="round($smeter.mean, 4)"),
    Piece("best state", ("least", "best_state"), init="$sleast, $sbest_state = 1e9, {}", last="if $loss.item() < $sleast:\n    $sleast = $loss.item()\n    $sbest_state = {k: v.clone() for k, v in $m.state_dict().items()}", shown="[round(v.float().sum().item(), 3) for v in $sbest_state.values()]"),
    Piece("copies of the model", ("copy", "before"), setup="import copy\n", init="$sbefore = []", epoch="$sbefore.append(copy.deepcopy($m))", shown="[round(p.sum().item(), 3) for old in $sbefore for p in old.parameters()]"),
    Piece("counter", ("Counter", "counts"), setup="from collections import Counter\n", init="$scounts = Counter()", last="$scounts.update($y.tolist())", shown="sorted($scounts.items())"),
    Piece("outputs kept", ("outputs",), init="$soutputs = []", last="$soutputs.append($out.detach())", shown="round(torch.cat($soutputs).abs().sum().item(), 3)"),
    Piece("inner function", ("halved",), forward="def halved(v):\n    return v * 0.5\n\n$loss = halved($loss)"),
    Piece("lambda", ("weighted",), init="$sweighted = lambda v, w: v * w", forward="$loss = $sweighted($loss, 0.5 + 0.1 * $i)"),
    Piece("terms", ("terms",), forward="terms = {'fit': $loss, 'size': 0.01 * $out.pow(2).mean()}\n$loss = sum(terms.values())"),
    Piece("warm up", first="for group in $o.param_groups:\n    group['lr'] = 0.01 * ($i + 1)"),
    Piece("try", ("caught",), init="$scaught = 0", last="try:\n    $scaught += int(1 / max($i, 0) > 2)\nexcept ZeroDivisionError:\n    $scaught += 10", shown="$scaught"),
)  # fmt: skip
