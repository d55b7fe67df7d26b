"""What the source says: functions, classes, control flow, definitions; built once for each tree."""
