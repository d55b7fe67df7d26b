"""torch into simpler torch, before anything is planned."""
