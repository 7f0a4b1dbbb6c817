"""A library that is not installed; it tests the harness."""

import a_library_that_is_not_installed  # noqa: F401

distribution = "numpy"
