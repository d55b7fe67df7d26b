import torch

weight = torch.ones(3, requires_grad=True)
bias = torch.zeros(3, requires_grad=True)
few = [weight]
many = [weight, bias]
optimizer = torch.optim.SGD(many, lr=0.1)
for _ in range(3):
    loss = ((weight * 2 + bias) ** 2).sum()
    loss.backward()
    optimizer.step()
    for p in few:
        p.grad.data.zero_()  # T2J302
    print(loss.item())
