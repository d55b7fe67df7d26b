import torch

start = torch.zeros(3)
w = start.requires_grad_()  # T2J303
optimizer = torch.optim.SGD([w], lr=0.1)
kept, best = [], None
for _ in range(3):
    optimizer.zero_grad()
    loss = ((w - 1) ** 2).sum()
    loss.backward()
    optimizer.step()
    kept.append(w)  # T2J303
    if loss.item() < 2:
        best = w.detach()  # T2J303
print(start, kept, best)
