"""The Django project: what a browser sees, what a worker does, and the truth of both in the database.

How it works. The web stores a `Submission` and, once the transaction has committed, rings the broker. A Celery worker
claims the submission by a conditional update, sends one `Job` to the sandbox server over a Unix socket, and writes the
check results down as they come. The database is the truth: a lost doorbell is rung again by the sweep that every
worker runs, and a doubled one finds nothing to claim.

The apps depend on each other in one direction: `submissions` on `catalog` on `accounts`. Of the sandbox, only
`sandbox.client` and `sandbox.protocol` are imported here: no process of `judge` ever imports torch, or runs a line that
a learner or an author wrote.

What it does not protect against: whoever can write to the database, the broker or the socket of the sandbox.
"""

from judge.celery import app as celery_app

__all__ = ["celery_app"]
