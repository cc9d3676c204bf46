import ast
import textwrap

import pytest

from judge.catalog.mutants import Mutant, mutants_of
from judge.tests import halving


def changes(source: str) -> list[tuple[str, str]]:
    return [(mutant.what, mutant.becomes) for mutant in mutants_of(textwrap.dedent(source))]


def test_a_mutant_is_the_same_text_with_one_fault_in_it() -> None:
    source = "def halve(x):\n    # Half of it.\n    return x / 2\n"

    mutants = mutants_of(source)

    assert mutants[0] == Mutant(
        function="halve",
        what="takes another operator",
        number=3,
        line="return x / 2",
        becomes="return x * 2",
        source="def halve(x):\n    # Half of it.\n    return x * 2\n",
    )
    assert mutants[0].diff(source, "reference.py") == textwrap.dedent("""\
        --- reference.py
        +++ reference.py\t(takes another operator)
        @@ -1,3 +1,3 @@
         def halve(x):
             # Half of it.
        -    return x / 2
        +    return x * 2""")


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("return a + b", {"return a - b", "return a", "return b"}),
        ("return a - 1", {"return a + 1", "return 1 - a", "return a", "return 1", "return a - 2", "return a - 0"}),
        ("return a @ b", {"return b @ a"}),
        ("return a < 3", {"return a <= 3", "return a < 4", "return a < 2"}),
        ("return 0 <= a < b", {"return 0 < a < b", "return 0 <= a <= b", "return 1 <= a < b", "return -1 <= a < b"}),
        ("return a and b", {"return a or b", "return a", "return b"}),
        ("return not a", {"return a"}),
        ("return -a", {"return a"}),
        ("return 0.5", {"return 0.55", "return 0.0"}),
        ("return True", {"return False"}),
        ("return a.detach()", {"return a"}),
        ("return normalize(a)", {"return a"}),
        ("return a.mean()", {"return a", "return a.sum()"}),
        ("return f(a, b)", {"return a", "return f(b, a)"}),
        ("return max(a, b)", {"return a", "return min(a, b)"}),
        ("return torch.cat([a, b])", {"return [a, b]", "return torch.cat([b])", "return torch.cat([a])"}),
        ("return a.sum(dim=1)", {"return a", "return a.mean(dim=1)", "return a.sum()", "return a.sum(dim=0)"}),
        ("return a.sum(dim=-1)", {"return a", "return a.mean(dim=-1)", "return a.sum()", "return a.sum(dim=0)"}),
        ("return a[b:]", {"return a", "return a[:]"}),
        ("return a.T", {"return a"}),
        ("return a, b", {"return a", "return b", "return (b,)", "return (a,)"}),
        ("a[0] = b", {"pass", "a[1] = b", "a[-1] = b"}),
        ("a += b", {"pass"}),
        ("check(a)", {"pass"}),
    ],
)
def test_each_kind_of_fault(statement: str, expected: set[str]) -> None:
    source = f"def f():\n    {statement}\n"

    assert {mutant.becomes for mutant in mutants_of(source)} == expected


def test_a_condition_is_turned_round_and_what_it_guards_is_left_out() -> None:
    source = """
    def f(a):
        if valid(a):
            raise ValueError(f"not {a + 1}")
        while not a > 0:
            break
    """

    assert changes(source) == [
        ("negates the condition", "if not valid(a):"),
        ("drops valid()", "if a:"),
        ("drops the statement", "pass"),
        ("drops a not", "while a > 0:"),
        ("takes another comparison", "while not (a >= 0):"),
        ("takes another constant", "while not a > 1:"),
        ("takes another constant", "while not a > -1:"),
        ("goes on in the loop", "pass"),
    ]


def test_another_parameter_is_taken_only_if_it_is_annotated_alike() -> None:
    source = """
    def f(query: Tensor, key: Tensor, temperature: float) -> Tensor:
        return g(query, temperature=temperature)
    """

    assert ("takes key for query", "return g(key, temperature=temperature)") in changes(source)
    assert not any("for temperature" in what for what, _ in changes(source))


def test_parentheses_keep_a_part_together() -> None:
    source = "def f(a, b, c):\n    return a * b.mean() + (b - c).sum()\n"

    assert {
        "return (a / b.mean()) + (b - c).sum()",
        "return a * b.mean() + (b + c).sum()",
        "return a * b.mean() + (b - c)",
    } <= {mutant.becomes for mutant in mutants_of(source)}


def test_names_say_where_a_mutant_is() -> None:
    source = "LIMIT = 3\n\nclass Layer:\n    def forward(self, x):\n        return x + LIMIT\n"

    assert [mutant.function for mutant in mutants_of(source)] == ["", "", *["Layer.forward"] * 3]


def test_columns_are_counted_in_bytes() -> None:
    assert changes('def f():\n    return "é" + g(1)\n')[0] == (
        "takes another operator",
        'return "é" - g(1)'.replace('"', "'"),
    )


def test_no_mutant_is_the_original_or_another_mutant_or_broken() -> None:
    source = halving.FILES["reference.py"] + "\n\ndef g(a):\n    if not a != 1:\n        return (a, -a)\n"

    trees = [ast.dump(ast.parse(mutant.source)) for mutant in mutants_of(source)]

    assert len(set(trees)) == len(trees)
    assert ast.dump(ast.parse(source)) not in trees
