"""A class that never was: learners, their runs over some weeks, and what the judge said of each.

Every result comes from the real sandbox. A pool of a few dozen texts is judged for each problem: the starter, known
mistakes, functions that are not written yet, right solutions, and mutants of the reference, which no known mistake
explains. Learners then hand in texts of the pool, in an order that gets better, and each in their own words.
"""
