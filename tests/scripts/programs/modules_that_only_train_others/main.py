import torch
from judge import Judge


def run(judge, epochs):
    for epoch in range(epochs):
        pairs = [
            (
                torch.sin(torch.arange(12, dtype=torch.float32) + i + epoch).reshape(4, 3),
                torch.cos(torch.arange(12, dtype=torch.float32) * 0.5 + i).reshape(4, 3),
            )
            for i in range(2)
        ]
        print(round(judge.update(pairs), 3), judge.count)
        print(round(judge.predict(pairs[0][0]).sum().item(), 3), round(judge.returns.sum().item(), 3))


judge = Judge(3, torch.device("cpu"))
judge.to("cpu")
with torch.no_grad():
    for i, p in enumerate(judge.trunk.parameters()):
        p.copy_(torch.cos(torch.arange(p.numel(), dtype=torch.float32) + i).reshape(p.shape) * 0.3)
run(judge, 3)
judge.train()
print(round(judge.trunk(judge.norm(torch.eye(3))).sum().item(), 3))
judge.eval()
print(round(judge.trunk(judge.norm(torch.eye(3))).sum().item(), 3))
