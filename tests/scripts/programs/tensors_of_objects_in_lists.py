# also: nnx, linen
import torch


class Particle:
    def __init__(self, x):
        self.x = torch.full((3,), x)
        self.age = torch.zeros(1)


class Swarm:
    def __init__(self):
        self.particles = [Particle(1.0), Particle(2.0), Particle(3.0)]
        self.named = {"first": Particle(4.0)}

    def move(self, step):
        self.particles[0].x[0] += step
        self.particles[1].x.mul_(2).add_(step)
        self.particles[-1].x[1:] = step
        self.named["first"].x.sub_(step)
        for i in range(len(self.particles)):
            self.particles[i].age += 1


class World:
    def __init__(self):
        self.swarm = Swarm()

    def move(self):
        self.swarm.move(0.5)
        self.swarm.particles[0].x.clamp_(max=2.0)


world = World()
for _ in range(3):
    world.move()
for particle in (*world.swarm.particles, world.swarm.named["first"]):
    print(particle.x.tolist(), particle.age.item())
