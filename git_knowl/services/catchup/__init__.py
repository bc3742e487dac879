"""What changed since this worktree was last looked at."""
