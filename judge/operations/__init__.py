"""What the operator sees and does: readiness, metrics, the status page, backup and restore.

The database is the one place that every web process and every worker reaches, so what is shown comes from there: the
submissions themselves, and a row for each worker, in which it writes every few seconds that it lives and what its
sandbox says of itself. Nothing here is needed for judging; without it submissions are judged all the same.
"""
