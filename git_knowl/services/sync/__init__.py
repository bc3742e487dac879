"""Exchange the shared lane with other clones, through a remote of git."""
