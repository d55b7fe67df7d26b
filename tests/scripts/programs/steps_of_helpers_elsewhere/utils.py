def optimize(optimizer, loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

def descend(model, optimizer, x):
    loss = model(x).pow(2).sum()
    optimize(optimizer, loss)
    return loss.item()
