"""The parts of value inference that ask nothing of its state."""
