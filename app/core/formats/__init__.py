"""Log formats as data: each pattern with the samples that prove it.

A format that no sample matches, or a sample that two formats match, fails the tests.
"""
