import pytest

from judge.catalog.markdown import highlight_python, render


def test_headings_and_sentences_carry_their_anchors() -> None:
    document = render("## The *loss* {#loss}\n\nFirst. [The only positive of $i$ is $k_i$.]{#only} Last.\n")

    assert document.html == (
        '<h2 id="loss">The <em>loss</em></h2>\n<p>First. <span id="only">The only positive of '
        '<span class="math inline">i</span> is <span class="math inline">k_i</span>.</span> Last.</p>\n'
    )
    assert document.anchors == {
        "loss": "The <em>loss</em>",
        "only": 'The only positive of <span class="math inline">i</span> is <span class="math inline">k_i</span>.',
    }


def test_mathematics_stays_tex() -> None:
    assert render("$$\n\\frac{a}{b} < c_1 * d_2 * e\n$$\n").html == (
        '<div class="math block">\n\\frac{a}{b} &lt; c_1 * d_2 * e\n</div>\n'
    )


def test_prices_are_not_mathematics() -> None:
    assert render("It costs 5$ or 6$ a day.").html == "<p>It costs 5$ or 6$ a day.</p>\n"


def test_code_is_highlighted_with_classes() -> None:
    assert render("```python\nreturn 1\n```\n").html == (
        '<pre class="highlight" tabindex="0"><code>'
        '<span class="k">return</span> <span class="mi">1</span>\n</code></pre>\n'
    )


@pytest.mark.parametrize(
    ("hostile", "harmless"),
    [
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"),
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>\n"),
        ("[x](data:text/html;base64,AAAA)", "<p>[x](data:text/html;base64,AAAA)</p>\n"),
        ("![x](https://evil.example/pixel.png)", "<p></p>\n"),
        ('[x]{onclick="alert(1)" style="position:fixed"}', "<p><span>x</span></p>\n"),
        (
            "$<img src=x onerror=alert(1)>$",
            '<p><span class="math inline">&lt;img src=x onerror=alert(1)&gt;</span></p>\n',
        ),
        (
            "[x](https://example.org)",
            '<p><a href="https://example.org" rel="noopener noreferrer">x</a></p>\n',
        ),
    ],
)
def test_an_author_cannot_reach_out_of_the_text(hostile: str, harmless: str) -> None:
    assert render(hostile).html == harmless


def test_lines_of_a_file_can_be_linked() -> None:
    assert highlight_python('\n"""a\n<b>"""\n') == (
        '<pre class="highlight" tabindex="0"><code><span id="line-1"></span>\n'
        '<span id="line-2"><span class="sd">"""a</span></span>\n'
        '<span id="line-3"><span class="sd">&lt;b&gt;"""</span></span>\n'
        "</code></pre>"
    )


def test_aligned_cells_have_a_class_and_no_style() -> None:
    html = render("| a | b | c |\n|---|--:|:-:|\n| 1 | 2 | 3 |\n").html
    assert '<td class="right">2</td>' in html
    assert '<th class="center">c</th>' in html
    assert "style" not in html


def test_an_answer_is_folded_below_its_question() -> None:
    rendered = render(":::question Is $x$ **zero**?\nNo.\n:::\n")

    assert rendered.html == (
        '<details class="fold question"><summary><span>Is <span class="math inline">x</span> '
        "<strong>zero</strong>?</span></summary>\n<p>No.</p>\n</details>\n"
    )


def test_a_text_says_how_long_it_takes_to_read() -> None:
    assert render("word " * 20).minutes == 1
    assert render("word " * 900).minutes == 4
