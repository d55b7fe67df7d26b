# also: nnx, linen
import engine

for steps in (3, 4):
    engine.fit(steps)
engine.fit(6, every=3)
engine.fit_two(6)
engine.fit_two(5)
engine.fit_both(5)
engine.fit_probed(3)
