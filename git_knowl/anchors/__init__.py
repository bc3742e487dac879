"""Floor 3: what an entry rests on, one module a kind, and the verdict they give together."""
