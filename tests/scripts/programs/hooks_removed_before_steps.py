# also: nnx
"""Hooks that keep keys and values by the layer that gives them, and give back what they have kept: attached by a method, and
removed before the model is trained. Methods that apply functions which only look at layers."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Attention(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.query = nn.Linear(n, n)
        self.key = nn.Linear(n, n, bias=False)
        self.value = nn.Linear(n, n)

    def forward(self, x, memory=None, cache=None):
        q = self.query(x)
        if cache is None or memory is None or self.key not in cache:
            k = self.key(x if memory is None else memory)
            v = self.value(x if memory is None else memory)
        else:
            k, v = cache[self.key], cache[self.value]
        return F.softmax(q @ k.transpose(1, 2), dim=-1) @ v


class Block(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.own = Attention(n)
        self.other = Attention(n)

    def forward(self, x, memory, cache=None):
        x = x + self.own(x, cache=cache)
        return x + self.other(x, memory, cache=cache)


class Decoder(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.blocks = nn.ModuleList([Block(n) for _ in range(2)])
        self.head = nn.Linear(n, 3)

    def forward(self, x, memory, cache=None):
        for block in self.blocks:
            x = block(x, memory, cache=cache)
        return self.head(x)


class Net(nn.Module):
    def __init__(self, n=4, longest=5):
        super().__init__()
        self.longest = longest
        self.decoder = Decoder(n)

    def forward(self, x, memory):
        return self.decoder(x, memory)

    def attentions(self):
        found = []

        def look(layer):
            if isinstance(layer, Attention):
                found.append(layer.query.weight.sum().item())

        self.decoder.apply(look)
        return found

    def install_hooks(self, cache=None):
        cache = {**cache} if cache is not None else {}
        hooks = []

        def keep(module, _, output):
            if module not in cache or output.shape[1] > self.longest:
                cache[module] = output
            else:
                cache[module] = torch.cat([cache[module], output], dim=1).detach()
            return cache[module]

        def install(layer):
            if isinstance(layer, Attention):
                hooks.append(layer.key.register_forward_hook(keep))
                hooks.append(layer.value.register_forward_hook(keep))

        self.decoder.apply(install)
        return cache, hooks


def note(seen):
    def hook(module, inputs, output):
        seen.append(output.shape)
        return output * 2

    return hook


net = Net()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() + i).view_as(p) * 0.4)
x = torch.linspace(-1, 1, 24).view(2, 3, 4)
memory = torch.cos(torch.arange(16).float()).view(2, 2, 4)
print(net.attentions())
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    with torch.no_grad():
        cache, hooks = net.install_hooks()
        step = x
        for _ in range(3):
            logits = net.decoder(step, memory, cache=cache)
            if logits.sum().item() > 1e6:
                break
            print(logits.sum().item(), sorted(value.shape[1] for value in cache.values()))
            step = torch.tanh(logits[:, -1:].sum(-1, keepdim=True)).repeat(1, 1, 4)
        for hook in hooks:
            hook.remove()
    seen = []
    handles = [block.other.register_forward_hook(note(seen)) for block in net.decoder.blocks]
    print(net(x, memory).sum().item(), len(seen))
    for handle in handles:
        handle.remove()
    seen_in_head = []
    handle = net.decoder.head.register_forward_hook(note(seen_in_head))
    print(net(x, memory).sum().item(), len(seen_in_head))
    handle.remove()
    optimizer.zero_grad()
    loss = net(x, memory).pow(2).mean()
    loss.backward()
    optimizer.step()
    print(loss.item(), len(seen), len(seen_in_head))
