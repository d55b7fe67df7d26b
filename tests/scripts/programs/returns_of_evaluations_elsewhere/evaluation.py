import random

import numpy as np
import torch


class Env:
    def __init__(self):
        self.t = 0

    def reset(self):
        self.t = 0
        return np.sin(np.arange(4.0)).astype(np.float32), {}

    def step(self, action):
        self.t += 1
        done = self.t >= 3
        info = {"episode": {"r": np.array([float(self.t + action)])}} if done else {}
        return np.cos(np.arange(4.0) + self.t).astype(np.float32), float(action), done, info


def evaluate(model, make_env, episodes, epsilon=0.0):
    env = make_env()
    returns = []
    obs, _ = env.reset()
    while len(returns) < episodes:
        if random.random() < epsilon:
            action = np.array([0])[0]
        else:
            action = torch.argmax(model(torch.Tensor(obs).unsqueeze(0)), dim=1).cpu().numpy()[0]
        obs, _, done, info = env.step(action)
        if "episode" in info:
            returns += [info["episode"]["r"]]
        if done:
            obs, _ = env.reset()
    return returns
