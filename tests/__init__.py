"""Tests of libcheck; a package, so that they can share strategies."""
