"""A library whose import aborts the process; it tests the harness."""

import os

distribution = "numpy"

os.abort()
