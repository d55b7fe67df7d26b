"""A class that trains what it is given, translated without the code that gives it: what its methods ask its fields for says
what they are.
"""

from types import ModuleType

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
import torch
from torch import nn

import torch2jax
from torch2jax.runtime.checkpoints import load_state_dict

TRAINER = """\
import torch.nn.functional as F


class Base:
    def __init__(self, net, optimizer, env):
        self.net, self.optimizer = net.to("cpu"), optimizer
        self.env = env


class Trainer(Base):
    def __init__(self, net, optimizer, criterion, env=None):
        super().__init__(net, optimizer=optimizer, env=env)
        self.criterion = criterion

    def epoch(self, batches):
        losses = []
        if self.env is not None:
            self.env.train()
        self.net.train()
        for x, y in batches:
            self.optimizer.zero_grad()
            loss = self.criterion(self.net(x), y)
            loss.backward()
            self.optimizer.step()
            losses.append(loss.item())
        return losses


class Agent:
    def __init__(self, q_net, target_net, optimizer):
        self.q_net = q_net
        self.target_net = target_net
        self.optimizer = optimizer

    def learn(self, x, y):
        q = self.q_net(x)
        with torch.no_grad():
            target = y + self.target_net(x)
        loss = F.mse_loss(q, target)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def sync(self):
        self.target_net.load_state_dict(self.q_net.state_dict())


def train(model: nn.Module, criterion: nn.Module, batches, optimizer: torch.optim.Optimizer):
    model.train()
    criterion.train()
    losses = []
    for x, y in batches:
        out = model(x)
        loss = criterion(out, y)
        value = loss.item()
        if value > 1e6:
            raise ValueError(value)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(value)
    return losses
"""
HEAD = "import torch\nfrom torch import nn\n"
BATCHES = [
    (np.sin(np.arange(12) + i).reshape(3, 4).astype("f"), np.cos(np.arange(6) + i).reshape(3, 2).astype("f"))
    for i in range(4)
]


def run(text: str, name: str) -> ModuleType:
    module = ModuleType(name)
    exec(compile(text, name, "exec"), module.__dict__)
    return module


@pytest.fixture(scope="module")
def both() -> tuple[ModuleType, ModuleType]:
    conversion = torch2jax.convert(HEAD + TRAINER, path="trainer.py")
    assert not [item for item in conversion.diagnostics if item.severity == "error"]
    return run(HEAD + TRAINER, "source"), run(conversion.text, "target")


class Pair:
    """The same model and optimizer on both sides."""

    def __init__(self) -> None:
        self.net = nn.Linear(4, 2)
        self.sgd = torch.optim.SGD(self.net.parameters(), 0.1, momentum=0.9)
        plain = eqx.nn.Linear(4, 2, key=jax.random.key(0))
        weights = {name: value.numpy().copy() for name, value in self.net.state_dict().items()}
        self.model = load_state_dict(plain, weights)
        self.optimizer = optax.sgd(0.1, 0.9)
        self.opt_state = self.optimizer.init(eqx.filter(self.model, eqx.is_inexact_array))


def test_a_trainer_trains_what_its_fields_are_asked_for(both: tuple[ModuleType, ModuleType]) -> None:
    source, target = both
    pair = Pair()
    trainer = source.Trainer(pair.net, pair.sgd, nn.functional.mse_loss)
    expected = trainer.epoch([(torch.tensor(x), torch.tensor(y)) for x, y in BATCHES])
    translated = target.Trainer(pair.model, pair.optimizer, pair.opt_state, lambda a, b: jnp.mean((a - b) ** 2))
    found = translated.epoch([(jnp.array(x), jnp.array(y)) for x, y in BATCHES], key=jax.random.key(1))
    np.testing.assert_allclose(found, expected, rtol=1e-4)


def test_an_agent_trains_the_net_that_gradients_go_into(both: tuple[ModuleType, ModuleType]) -> None:
    source, target = both
    pair, other = Pair(), Pair()
    agent = source.Agent(pair.net, other.net, pair.sgd)
    translated = target.Agent(pair.model, other.model, pair.optimizer, pair.opt_state)
    for number, (x, y) in enumerate(BATCHES):
        expected = agent.learn(torch.tensor(x), torch.tensor(y))
        found = translated.learn(jnp.array(x), jnp.array(y), key=jax.random.key(number))
        np.testing.assert_allclose(found, expected, rtol=1e-4)
        agent.sync()
        translated.sync()


def test_a_module_that_compares_is_taken_for_a_loss_and_the_caller_is_told(
    both: tuple[ModuleType, ModuleType],
) -> None:
    source, target = both
    pair = Pair()
    batches = [(torch.tensor(x), torch.tensor(y)) for x, y in BATCHES]
    expected = source.train(pair.net, nn.MSELoss(), batches, pair.sgd)
    arrays = [(jnp.array(x), jnp.array(y)) for x, y in BATCHES]
    criterion = lambda a, b: jnp.mean((a - b) ** 2)  # noqa: E731
    *_, found = target.train(pair.model, criterion, arrays, pair.optimizer, pair.opt_state, key=jax.random.key(0))
    np.testing.assert_allclose(found, expected, rtol=1e-4)
    conversion = torch2jax.convert(HEAD + TRAINER, path="trainer.py")
    told = [item.message for item in conversion.diagnostics if item.code == "T2J510"]
    assert told == [
        "nothing says what `optimizer` updates: it is taken for the parameters of `model`, and `criterion` for a loss without any"
    ]


@pytest.mark.parametrize(
    "loss",
    [
        "-D(G(x)).mean()",
        "(D(G(x).detach(), y) - D(x, y)).mean()",
        "F.cross_entropy(D(G(x)), y)",
        "G(D(G(x), y)).mean()",
    ],
)
def test_two_modules_that_may_both_be_trained_are_not_guessed(loss: str) -> None:
    body = f"    opt.zero_grad()\n    loss = {loss}\n    loss.backward()\n    opt.step()\n"
    head = "def train(G: nn.Module, D: nn.Module, opt: torch.optim.Optimizer, x, y):\n"
    conversion = torch2jax.convert(f"{HEAD}import torch.nn.functional as F\n\n\n{head}{body}", path="train.py")
    assert "T2J501" in {item.code for item in conversion.diagnostics if item.severity == "error"}


@pytest.mark.parametrize("use", ["self.part.train()", 'self.part.parameters["lr"]', "self.part.state_dict()"])
def test_words_that_other_objects_have_say_nothing_of_a_field(use: str) -> None:
    text = f"{HEAD}\n\nclass Job:\n    def __init__(self, part):\n        self.part = part\n\n    def run(self):\n        {use}\n"
    assert use in torch2jax.convert(text, path="job.py").text
