"""Named parts of source files: found by qualified name, known by their syntax tree.

Only this package knows tree-sitter, and loads it when a file has to be parsed.
"""
