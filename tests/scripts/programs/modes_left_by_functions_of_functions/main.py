# also: nnx, linen
import torch
import torch.nn as nn
from evaluate import evaluate_episode
from trainer import Trainer


def experiment():
    model = nn.Sequential(nn.Linear(3, 2), nn.Dropout(0.9), nn.Linear(2, 1))
    for i, p in enumerate(model.parameters()):
        nn.init.constant_(p, 0.1 * i + 0.2)

    def eval_episodes(target):
        def fn(model):
            returns = []
            for _ in range(2):
                if target > 2:
                    ret, length = evaluate_episode(model, target)
                else:
                    ret, length = evaluate_episode(model, target + 1)
                returns.append(ret)
            return {f"target_{target}": sum(returns)}

        return fn

    optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
    trainer = Trainer(model, optimizer, lambda out: (out**2).mean(), [eval_episodes(n) for n in (2, 3)])
    for i in range(2):
        logs = trainer.train_iteration(2)
        print(logs["evaluation/target_2"], logs["evaluation/target_3"])
    print(model.training)


experiment()
