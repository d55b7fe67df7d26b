import torch


def returns(rewards, values, dones, last, steps):
    adv = torch.zeros_like(rewards)
    gae = 0
    for t in reversed(range(steps)):
        if t == steps - 1:
            after = 1.0 - last
            following = values[-1].reshape(1, -1)
        else:
            after = 1.0 - dones[t + 1]
            following = values[t + 1]
        delta = rewards[t] + 0.9 * following * after - values[t]
        adv[t] = gae = delta + 0.8 * after * gae
    return adv


def known(x):
    y = torch.zeros(3, 4)
    y[0] = x.reshape(1, 4)
    y[1:2] = x.reshape(1, 1, 4)
    y[:, 0] = torch.ones(1, 3)
    return y


if __name__ == "__main__":
    r = torch.arange(12.0).view(3, 4)
    print(returns(r, r + 1, torch.zeros(3, 4), torch.zeros(4), 3).tolist())
    print(known(torch.arange(4.0)).tolist())
