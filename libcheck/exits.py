"""The exit statuses, documented and stable."""

EXIT_OK, EXIT_DIFFER, EXIT_USAGE, EXIT_CRASH, EXIT_STALE = 0, 1, 2, 3, 4
EXIT_BUG, EXIT_INTERRUPT, EXIT_PIPE = 70, 130, 141

EXIT_CODES = """exit status:
  0   every check agrees, or a known issue explains it
  1   a check fails
  2   wrong usage or bad input
  3   a library asked for by name crashed, hung or could not be run
  4   a known issue no longer reproduces: the list must be updated
  70  a bug of libcheck
  130 interrupted; the report holds what was done
  141 the reader of the output went away"""
