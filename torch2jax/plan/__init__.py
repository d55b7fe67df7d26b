"""Decisions: what is threaded through which function, which key each draw gets, which statements form a step."""
