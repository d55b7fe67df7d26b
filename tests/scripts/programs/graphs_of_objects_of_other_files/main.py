# flagged: T2J500
# What objects of another file compute from their modules, for steps that not every round takes: the gradient would stop there.
import torch
from parts import Agent, features

batches = [torch.sin(torch.arange(12.0) + i).reshape(4, 3) for i in range(4)]

agent1 = Agent()
opt1 = torch.optim.SGD([*agent1.encoder.parameters(), *agent1.head.parameters()], lr=0.1)
for i, x in enumerate(batches):
    z = agent1.encode(x)
    if i % 2 == 0:
        loss = (agent1.head(z) - agent1.head(torch.tanh(agent1.encoder(x + 1)))).pow(2).mean()
        opt1.zero_grad()
        loss.backward()
        opt1.step()
print(agent1.encoder.weight.sum().item())

agent2 = Agent()
opt2 = torch.optim.SGD([*agent2.encoder.parameters(), *agent2.head.parameters()], lr=0.1)
for i, x in enumerate(batches):
    z = features(agent2, x)
    if i % 2 == 0:
        loss = (agent2.head(z) - agent2.head(torch.tanh(agent2.encoder(x + 1)))).pow(2).mean()
        opt2.zero_grad()
        loss.backward()
        opt2.step()
print(agent2.encoder.weight.sum().item())

agent3 = Agent()
opt3 = torch.optim.SGD([*agent3.encoder.parameters(), *agent3.head.parameters()], lr=0.1)
for i, x in enumerate(batches):
    agent3.remember(x)
    if i % 2 == 0:
        loss = (agent3.head(agent3.z) - agent3.head(torch.tanh(agent3.encoder(x + 1)))).pow(2).mean()
        opt3.zero_grad()
        loss.backward()
        opt3.step()
print(agent3.encoder.weight.sum().item())

agent4 = Agent()
opt4 = torch.optim.SGD([*agent4.encoder.parameters(), *agent4.head.parameters()], lr=0.1)
for i, x in enumerate(batches):
    agent4.keep(x)
    if i % 2 == 0:
        loss = (agent4.head(agent4.last()) - agent4.head(torch.tanh(agent4.encoder(x + 1)))).pow(2).mean()
        opt4.zero_grad()
        loss.backward()
        opt4.step()
print(agent4.encoder.weight.sum().item())

agent5 = Agent()
opt5 = torch.optim.SGD([*agent5.encoder.parameters(), *agent5.head.parameters()], lr=0.1)
for i, x in enumerate(batches):
    z = agent5.penalty()
    if i % 2 == 0:
        loss = (z - agent5.head(torch.tanh(agent5.encoder(x + 1)))).pow(2).mean()
        opt5.zero_grad()
        loss.backward()
        opt5.step()
print(agent5.encoder.weight.sum().item())
