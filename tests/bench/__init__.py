"""Benchmarks: `python -m tests.bench` for speed, `python -m tests.bench.retrieval` for search."""
