"""One module per library; what each adapter module holds.

A module is the adapter: ``distribution`` names the package to look up, ``load(model)``
returns the library's own robot, and every public function is named after a quantity of
`reference` and takes the same inputs, one sample at a time.  It converts and calls; it
computes nothing, and it repairs nothing: what a library gets wrong has to show.

Everything here runs inside the library's interpreter: Python 3.9, NumPy, the library.
"""
