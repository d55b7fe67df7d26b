def optimize(optimizer, loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
