"""One module a host of coding agents: what it tells, how it is answered, what it can do."""
