"""Known mistakes for the problem *Halving*."""

from judge.tests import halving

THIRD = """\
# /// mistake
# title = "Divides by three"
# says = "Your function divides by `3`."
# fails = ["two"]
# hint = "A half is not a third."
# ///
def halve(catalogued):
    return catalogued / 3
"""
IN_PLACE = """\
# /// mistake
# title = "Divides the caller's tensor"
# fails = ["unchanged"]
# hint = "`/=` writes into its left side."
# ///
def halve(catalogued):
    half = catalogued.clone() / 2
    catalogued.zero_()
    return half
"""
FILES = {**halving.FILES, "wrong/third.py": THIRD, "wrong/in_place.py": IN_PLACE}
