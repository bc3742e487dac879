"""Lockfiles: which version of a package a project resolves to, one module a format."""
