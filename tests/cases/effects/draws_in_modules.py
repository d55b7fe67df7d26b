"""Draws in modules, their methods and training steps."""

import random

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset, TensorDataset


class Noise(nn.Module):
    def __init__(self, scale: float = 1.0):
        super().__init__()
        self.scale = scale

    def forward(self, x):
        return x + self.scale * torch.randn_like(x)


class Plain(nn.Module):
    def forward(self, x):
        return x * 2.0


class DropPath(nn.Module):
    def __init__(self, drop_prob: float = 0.0):
        super().__init__()
        self.drop_prob = drop_prob

    def forward(self, x):
        if self.drop_prob == 0.0 or not self.training:
            return x
        keep = 1 - self.drop_prob
        shape = (x.shape[0],) + (1,) * (x.ndim - 1)
        mask = x.new_empty(shape).bernoulli_(keep)
        return x * mask / keep


def differ(a: Tensor, b: Tensor):
    return (a != b).any()


def case_layer(x: Tensor):
    noise = Noise()
    return differ(noise(x), noise(x))


def case_layers_in_turn(x: Tensor):
    layers = nn.ModuleList([Noise() for _ in range(3)])
    outs = []
    for layer in layers:
        outs.append(layer(x))
    return differ(outs[0], outs[1]), differ(outs[1], outs[2])


def case_sequence(x: Tensor):
    model = nn.Sequential(nn.Dropout(0.5), Plain(), Noise(), Noise())
    return differ(model(x), model(x))


class Mixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Plain(), Noise(), Plain(), nn.Dropout(0.5), nn.Identity()])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def case_layers_of_several_kinds(x: Tensor):
    model = Mixed()
    return differ(model(x), model(x))


class Chosen(nn.Module):
    def __init__(self, noisy: bool):
        super().__init__()
        self.layer = Noise() if noisy else Plain()

    def forward(self, x):
        return self.layer(x)


def case_layer_of_two_kinds(x: Tensor):
    return differ(Chosen(True)(x), x), Chosen(False)(x)


# random
def case_drop_path(x: Tensor):
    return DropPath(0.5)(x)


def case_drop_path_in_inference(x: Tensor):
    model = DropPath(0.5)
    model.eval()
    return model(x)


class Vae(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Linear(3, 2)
        self.log_var = nn.Linear(3, 2)
        self.decoder = nn.Linear(2, 3)

    def reparameterize(self, mean: Tensor, log_var: Tensor):
        std = torch.exp(0.5 * log_var)
        eps = torch.randn_like(std)
        return mean + eps * std

    def encode(self, x: Tensor):
        return self.mean(x), self.log_var(x)

    def sample(self, n: int):
        return self.decoder(torch.randn(n, 2))

    def forward(self, x):
        mean, log_var = self.encode(x)
        z = self.reparameterize(mean, log_var)
        return self.decoder(z), mean, log_var


def case_methods_of_module(x: Tensor):
    model = Vae()
    a, mean, _ = model(x)
    b, other, _ = model(x)
    return differ(a, b), differ(mean, other), differ(model.sample(2), model.sample(2))


class Masked(nn.Module):
    def __init__(self, ratio: float = 0.5):
        super().__init__()
        self.ratio = ratio
        self.token = nn.Parameter(torch.zeros(1, 1, 4))

    def forward(self, x):
        b, n, d = x.shape
        keep = int(n * (1 - self.ratio))
        scores = torch.rand(b, n, device=x.device)
        order = torch.argsort(scores, dim=1)
        restore = torch.argsort(order, dim=1)
        kept = torch.gather(x, 1, order[:, :keep, None].expand(-1, -1, d))
        filled = torch.cat([kept, self.token.expand(b, n - keep, -1)], dim=1)
        return torch.gather(filled, 1, restore[:, :, None].expand(-1, -1, d))


def case_masking(batch: Tensor):
    return Masked()(batch).shape


class Sampler(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(3, 5)

    @torch.no_grad()
    def generate(self, x: Tensor, steps: int):
        found = []
        for _ in range(steps):
            logits = self.head(x)
            found.append(torch.multinomial(F.softmax(logits, dim=-1), 1))
        return torch.cat(found, dim=1)


def case_generation(x: Tensor):
    return Sampler().generate(x, 6).shape


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(3, 4)

    def act(self, x: Tensor):
        dist = torch.distributions.Categorical(logits=self.net(x))
        action = dist.sample()
        return action, dist.log_prob(action)


def case_policy(x: Tensor):
    policy = Policy()
    actions = torch.stack([policy.act(x)[0] for _ in range(20)])
    return actions.shape, differ(actions[:10], actions[10:])


def case_distributions():
    normal = torch.distributions.Normal(0.0, 1.0)
    a, b = normal.sample((3,)), normal.rsample((3,))
    return differ(a, b), differ(normal.sample((3,)), a)


class Initialised(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 3)
        self.b = nn.Linear(3, 3)
        self.scale = nn.Parameter(torch.randn(3) * 0.02)
        self.apply(self._init)
        nn.init.trunc_normal_(self.b.weight, std=0.02)

    def _init(self, module):
        if isinstance(module, nn.Linear):
            nn.init.normal_(module.weight, std=0.5)
            nn.init.zeros_(module.bias)

    def forward(self, x):
        return self.b(self.a(x)) * self.scale


def case_initialisation():
    m, n = Initialised(), Initialised()
    return differ(m.a.weight, n.a.weight), differ(m.a.weight, m.b.weight), m.a.bias, differ(m.scale, n.scale)


class Property(nn.Module):
    @property
    def noise(self):
        return torch.randn(3)  # T2J400

    def forward(self, x):
        return x + self.noise


def case_property(x: Tensor):
    return Property()(x)


class Jittered(Dataset):
    def __init__(self, n: int):
        self.data = torch.arange(float(n))

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return self.data[i] + 0.1 * torch.rand(())


def case_dataset():
    data = Jittered(4)
    (a,) = [batch for batch in DataLoader(data, batch_size=4)]
    (b,) = [batch for batch in DataLoader(data, batch_size=4)]
    return bool((a != b).any()), data[0] < 1


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(3, 8)
        self.dropout = nn.Dropout(0.2)
        self.noise = Noise(0.1)
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(self.noise(self.dropout(F.relu(self.hidden(x)))))


def case_training(x: Tensor):
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    for _ in range(5):
        noisy = x + 0.1 * torch.randn_like(x)
        optimizer.zero_grad()
        loss = F.mse_loss(model(noisy), torch.rand(2, 1))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return len(set(losses))


def train(model: Net, loader: DataLoader, epochs: int):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    seen = []
    for _ in range(epochs):
        model.train()
        for (x,) in loader:
            t = torch.randint(0, 10, (x.shape[0],))
            eps = torch.randn_like(x)
            loss = ((model(x + eps * (t[:, None] / 10.0))) ** 2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            seen.append(loss.item())
        model.eval()
        with torch.no_grad():
            for (x,) in loader:
                seen.append(model(x).mean().item())
    return seen


def case_training_function():
    loader = DataLoader(TensorDataset(torch.ones(4, 3)), batch_size=4)
    seen = train(Net(), loader, 3)
    return len(set(seen)), len(seen)


class Flaky(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 1)

    def forward(self, x):
        if random.random() < 0.5:
            return self.fc(x)
        return self.fc(x * np.random.uniform(0.5, 1.5))


def case_numbers_of_the_host_in_a_step(x: Tensor):
    model = Flaky()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
    losses = set()
    for _ in range(30):
        loss = model(x).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.add(round(loss.item(), 4))
    return len(losses) > 2


def case_lambda_in_a_step(x: Tensor):
    shift = lambda t: t + torch.rand(3)
    model = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
    losses = set()
    for _ in range(4):
        optimizer.zero_grad()
        loss = model(shift(x)).sum()
        loss.backward()
        optimizer.step()
        losses.add(loss.item())
    return len(losses)


def case_comprehension_in_a_step(x: Tensor):
    model = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
    losses = set()
    for _ in range(4):
        optimizer.zero_grad()
        loss = sum(model(x + torch.randn(3)).sum() for _ in range(2)) + sum(
            model(x * torch.rand(3)).sum() for _ in range(2) for _ in range(2)
        )
        loss.backward()
        optimizer.step()
        losses.add(loss.item())
    return len(losses)


class Stream:
    def __init__(self, size: int):
        self.size = size

    @property
    def value(self):
        return torch.rand(self.size)


def case_property_in_a_step(x: Tensor):
    stream = Stream(3)
    model = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
    losses = set()
    for _ in range(4):
        optimizer.zero_grad()
        loss = model(x + stream.value).sum()
        loss.backward()
        optimizer.step()
        losses.add(loss.item())
    return len(losses)


def case_seeded_rounds(x: Tensor):
    model = nn.Sequential(nn.Linear(3, 3), nn.Dropout(0.5), nn.Linear(3, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
    losses = []
    for epoch in range(3):
        torch.manual_seed(epoch % 2)
        optimizer.zero_grad()
        loss = model(x).sum()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses[0] == losses[2]


def case_generator_in_a_step(x: Tensor):
    g = torch.Generator().manual_seed(0)
    model = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
    losses = set()
    for _ in range(5):
        loss = model(x + torch.randn(x.shape, generator=g)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.add(loss.item())
    return len(losses)


@torch.compile
def compiled(x: Tensor):
    return x + torch.randn_like(x)


def case_compiled_function(x: Tensor):
    return differ(compiled(x), compiled(x))


def case_two_steps(x: Tensor):
    generator, critic = nn.Linear(2, 3), nn.Linear(3, 1)
    g_opt = torch.optim.SGD(generator.parameters(), lr=0.0)
    d_opt = torch.optim.SGD(critic.parameters(), lr=0.0)
    seen = []
    for _ in range(3):
        z = torch.randn(4, 2)
        d_loss = critic(generator(z).detach()).mean() - critic(x).mean()
        d_opt.zero_grad()
        d_loss.backward()
        d_opt.step()
        g_loss = -critic(generator(torch.randn(4, 2))).mean()
        g_opt.zero_grad()
        g_loss.backward()
        g_opt.step()
        seen += [d_loss.item(), g_loss.item()]
    return len(set(seen))


def augment(x: Tensor, p: float = 0.5):
    if torch.rand(1).item() < p:
        x = torch.flip(x, (-1,))
    return x + 0.01 * torch.randn_like(x)


def case_augmentation(x: Tensor):
    return differ(augment(x), augment(x, p=1.0))


def diffuse(model: nn.Module, shape: tuple, steps: int):
    x = torch.randn(shape)
    for t in reversed(range(steps)):
        z = torch.randn_like(x) if t > 0 else torch.zeros_like(x)
        x = 0.9 * model(x) + 0.1 * z
    return x


def case_diffusion():
    model = Noise(0.0)
    return differ(diffuse(model, (2, 3), 4), diffuse(model, (2, 3), 4))


class Layers(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.first = DropPath(
            drop_prob=0.5
        )
        self.second = nn.Linear(
            width,
            width,
            bias=False
        )

    def forward(self, x):
        x = self.first(
            self.second(x),
        )
        return F.dropout(
            x, p=0.25
        )


def case_calls_over_several_lines(x: Tensor):
    layers = Layers(
        x.shape[-1]
    )
    return differ(layers(x), layers(
        x,  # again
    ))
