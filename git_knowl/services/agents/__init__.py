"""What serves coding agents alone: their hosts, their sessions, and how much one may leave."""
