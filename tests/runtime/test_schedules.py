"""Learning rates that a program sets itself, step by step."""

from torch2jax.runtime.schedules import LearningRates, scaled_rate


def test_rates_follow_steps_epochs_and_saved_counts() -> None:
    rates = LearningRates(scaled_rate(0.5, lambda count: 1 / (count + 1)))
    assert rates.rate == 0.5
    assert rates.step() == 0.25
    assert rates.step(4) == 0.1
    other = LearningRates(rates.schedule)
    other.load_state_dict(rates.state_dict())
    assert other.step() == 0.5 / 6
