"""torch's layers written with its functions: what classes of programs that derive from a layer are translated with."""
