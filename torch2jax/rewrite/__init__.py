"""Turn the plan into edits, one file per concern."""
