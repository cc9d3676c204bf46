"""Labs: how a text places them, what is wrong with a directive, and their pages."""

import json
import re

import pytest
from django.test import Client

from judge.catalog.labs import Placement, faults_of, placement_of, registry
from judge.catalog.markdown import render
from judge.catalog.models import Problem
from judge.catalog.package import PackageError, parse
from judge.tests import halving
from judge.tests.pages import links, words

LAB = """
[[labs]]
name = "circle"
title = "The circle lab"
summary = "Watch it learn."
file = "labs/circle.md"

[[labs]]
name = "two"
title = "Two at once"
file = "labs/two.md"
"""
FILES = {
    **halving.FILES,
    "problem.toml": halving.FILES["problem.toml"] + LAB,
    "labs/circle.md": "Look at $q$.\n\n:::lab circle tau=0.05\nIt needs *scripts*.\n:::\n",
    "labs/two.md": ":::lab circle\n:::\n\n:::lab sphere\n:::\n",
}


@pytest.fixture
def problem(db: None) -> Problem:
    return Problem.publish(parse("halving", FILES)).problem


def test_a_directive_becomes_the_place_of_an_island_with_a_text_inside() -> None:
    document = render("Before.\n\n:::lab circle tau=0.05 k=128\nIt *needs* scripts.\n:::\n\nAfter.\n")

    assert document.html == (
        '<p>Before.</p>\n<div class="lab" data-island="lab" data-lab="circle" '
        'data-settings="{&quot;tau&quot;: 0.05, &quot;k&quot;: 128}">\n'
        "<p>It <em>needs</em> scripts.</p>\n</div>\n<p>After.</p>\n"
    )


def test_lists_are_data_of_the_instructor() -> None:
    info = "lab temperature similarities=0.9,0.4,-0.2 labels=\"cat, a dog, 'sky'\" taus=0.1,1"

    assert placement_of(info) == Placement(
        "temperature",
        {"similarities": [0.9, 0.4, -0.2], "labels": ["cat", "a dog", "'sky'"], "taus": [0.1, 1.0]},
    )
    assert faults_of(info) == []


@pytest.mark.parametrize(
    ("info", "reason"),
    [
        ("lab", "there is no lab ''"),
        ("lab torus tau=0.1", "there is no lab 'torus'"),
        ("lab circle temperature=0.1", "the lab circle has no setting 'temperature'"),
        ("lab circle tau", "tau of the lab circle is ''"),
        ("lab circle tau=warm", "tau of the lab circle is 'warm'"),
        ("lab circle tau=nan", "tau of the lab circle is 'nan'"),
        ("lab circle tau=5", "tau of the lab circle is '5'"),
        ("lab circle tau=0.1,0.2", "tau of the lab circle is '0.1,0.2'"),
        ("lab circle k=1.5", "k of the lab circle is '1.5'"),
        ("lab circle k=8 k=16", "k is set twice"),
        ("lab one-positive angles=1", "angles of the lab one-positive is '1'"),
        ("lab temperature labels=a,,c", "labels of the lab temperature is 'a,,c'"),
        (
            "lab temperature labels=a,b",
            "similarities and labels must be equally long: similarities has 5, labels has 2",
        ),
        ('lab temperature labels="a', ':::lab temperature labels="a has a quote that is not closed'),
    ],
)
def test_what_is_wrong_with_a_directive_is_said_and_its_text_is_shown(info: str, reason: str) -> None:
    assert [fault for fault, _ in faults_of(info)] == [reason]
    assert render(f":::{info}\nRead this.\n:::\n").html == '<div class="lab">\n<p>Read this.</p>\n</div>\n'


def test_a_remedy_says_what_may_be_written() -> None:
    assert faults_of("lab circle tau=5 k=0 one=1") == [
        ("tau of the lab circle is '5'", "write a number from 0.01 to 1"),
        ("k of the lab circle is '0'", "write a whole number from 1 to 1024"),
        ("the lab circle has no setting 'one'", "it has tau, m, k, eta, speed, seed, steps, turn"),
    ]


@pytest.mark.parametrize("name", registry())
def test_every_lab_can_be_placed_with_its_own_defaults(name: str) -> None:
    settings = []
    for key, rule in registry()[name]["settings"].items():
        value = rule["default"]
        settings.append(f'{key}="{",".join(map(str, value)) if isinstance(value, list) else value}"')

    assert faults_of(f"lab {name} {' '.join(settings)}") == []


def test_an_author_cannot_place_another_island() -> None:
    hostile = '[x]{data-island="workbench" .lab}\n\n:::lab circle tau="0.1\' onclick=\'x"\n:::\n'

    assert render(hostile).html == '<p><span class="lab">x</span></p>\n<div class="lab">\n</div>\n'


def test_labels_cannot_leave_their_attribute() -> None:
    page = render(":::lab temperature labels='a,b,\"><script>,d,e'\n:::\n").html

    found = re.search(r"data-settings='([^']*)'|data-settings=\"([^\"]*)\"", page)
    assert found is not None
    assert "<script>" not in page


def test_the_pages_of_labs_are_open_to_everybody(client: Client, problem: Problem) -> None:
    overview = client.get("/problems/halving/labs/")
    page = client.get("/problems/halving/labs/circle/")

    assert "The circle lab Watch it learn." in words(overview)
    assert "/problems/halving/labs/circle/" in links(overview)
    assert "The circle lab Look at q. It needs scripts." in words(page)
    assert 'data-lab="circle"' in page.content.decode()
    assert links(page)[-1] == "/problems/halving/labs/two/"


def test_the_tab_is_there_where_there_are_labs(client: Client, problem: Problem) -> None:
    assert "/problems/halving/labs/" in links(client.get("/problems/halving/"))

    Problem.publish(parse("halving", halving.FILES))

    assert "/problems/halving/labs/" not in links(client.get("/problems/halving/"))
    assert client.get("/problems/halving/labs/").status_code == 404
    assert client.get("/problems/halving/labs/circle/").status_code == 404


def test_an_unknown_lab_page_is_not_found(client: Client, problem: Problem) -> None:
    assert client.get("/problems/halving/labs/torus/").status_code == 404


def test_a_stored_package_is_read_although_a_directive_of_it_is_unknown() -> None:
    files = {**FILES, "labs/two.md": ":::lab of-yesterday\nText.\n:::\n"}

    assert [lab.name for lab in parse("halving", files).labs] == ["circle", "two"]


def test_labs_of_a_package_have_names_and_files() -> None:
    description = FILES["problem.toml"].replace('name = "two"', 'name = "circle"').replace("labs/two.md", "labs/3.md")
    files = {**FILES, "problem.toml": description}

    with pytest.raises(PackageError) as raised:
        parse("halving", files)

    assert [complaint.reason for complaint in raised.value.complaints] == [
        "[[labs]] has the name 'circle' twice",
        "[[labs]] names labs/3.md, which is missing",
    ]

    files["problem.toml"] = FILES["problem.toml"].replace('"two"', '"Two at once"')
    with pytest.raises(PackageError, match="small letters, digits and hyphens"):
        parse("halving", files)


def test_the_settings_of_a_lab_are_valid_json() -> None:
    page = render(":::lab one-positive angles=10,20,30\n:::\n").html

    found = re.search(r'data-settings="([^"]*)"', page)
    assert found is not None
    assert json.loads(found[1].replace("&quot;", '"')) == {"angles": [10, 20, 30]}
