"""A class in the last minutes before a deadline, against a site of its own on this machine: `make load`.

Each learner opens the problem, saves drafts while writing, hands in once a minute and watches the report live, in the
rhythm of the front end. Beside them one learner hands in as often as the judge takes it. Nothing leaves the loopback:
the site is started for the test, and stopped after it.
"""
