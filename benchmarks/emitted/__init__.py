"""How fast translated training steps are, beside the same programs written by hand in Equinox and beside torch itself."""
