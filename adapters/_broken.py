"""A library whose shared objects are missing; it tests the harness."""

distribution = "numpy"

raise ImportError("libfoo.so.3: cannot open shared object file")
