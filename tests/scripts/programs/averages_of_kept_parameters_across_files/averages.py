class WeightEMA:
    def __init__(self, params, decay):
        self.decay = decay
        self.params = list(params)
        self.shadow = [p.clone().detach() for p in self.params]

    def step(self):
        for s, p in zip(self.shadow, self.params):
            s.sub_((1.0 - self.decay) * (s - p.detach()))

    def norm(self):
        return sum(s.pow(2).sum().item() for s in self.shadow)


