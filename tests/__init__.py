"""The tests; a package so that ``tests.support`` is found before any other of that name."""
