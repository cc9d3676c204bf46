"""Markdown of a package as safe HTML: the one place where an author's text becomes markup.

CommonMark with tables, `$..$` and `$$..$$` mathematics (left as TeX in `.math` elements for the browser), anchors on
headings (`## The loss {#loss}`) and on sentences (`[The only positive is key $i$.]{#only-positive}`), highlighted code,
interactive figures of the front end (`:::lab circle tau=0.05`, see `labs`), and questions whose answer is folded away
(`:::question Why?`). Authors are not fully trusted: raw HTML is shown as text, and what comes out passes an allow-list.
"""

import dataclasses
import functools
import html
import json
import re
from collections.abc import Mapping, Sequence

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from mdit_py_plugins.attrs import attrs_plugin
from mdit_py_plugins.container import container_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from judge.catalog.labs import placement_of

_TAGS = {
    *("h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "pre", "blockquote", "hr", "ul", "ol", "li", "dl", "dt", "dd"),
    *("table", "thead", "tbody", "tr", "th", "td"),
    *("a", "em", "strong", "code", "span", "s", "sub", "sup", "br", "details", "summary"),
}
_ATTRIBUTES = {
    "*": {"id", "class"},
    "a": {"href", "title"},
    "ol": {"start"},
    # So that long lines can be scrolled to with keys.
    "pre": {"tabindex"},
    # Of a lab. Authors can't write them: attributes in Markdown are `id` and `class`.
    "div": {"data-island", "data-lab", "data-settings"},
}
_HEADING_ANCHOR = re.compile(r"\{#([A-Za-z][\w-]*)\}\s*$")
"""It begins with a brace: a search that may begin at any space takes minutes for a heading of nothing but spaces."""
_TAG = re.compile(r"<[^>]*>")
WORDS_A_MINUTE = 200
"""How fast a text with formulas is read."""


@dataclasses.dataclass(frozen=True)
class Document:
    """A rendered text."""

    html: str
    anchors: Mapping[str, str]
    """Anchor -> HTML of the heading or sentence that carries it."""
    minutes: int
    """How long it takes to read."""


@functools.lru_cache(maxsize=256)
def render(text: str) -> Document:
    """The whole of `text` with its anchors."""
    parser = _parser()
    environment: dict[str, object] = {}
    tokens = parser.parse(text, environment)
    anchors: dict[str, str] = {}
    for position, token in enumerate(tokens):
        if token.type != "inline" or not token.children:
            continue
        heading = tokens[position - 1].attrs.get("id") if tokens[position - 1].type == "heading_open" else None
        if heading:
            anchors[str(heading)] = _sanitized(parser.renderer.render(token.children, parser.options, environment))
        for anchor, inside in _anchored_spans(token.children):
            anchors[anchor] = _sanitized(parser.renderer.render(inside, parser.options, environment))
    markup = _sanitized(parser.renderer.render(tokens, parser.options, environment))
    words = len(_TAG.sub(" ", markup).split())
    return Document(markup, anchors, max(1, round(words / WORDS_A_MINUTE)))


def tokens_of(text: str) -> list[Token]:
    """The parsed text, for whoever looks for faults in it."""
    return _parser().parse(text)


def render_inline(text: str) -> str:
    """A hint or a message as HTML without the anchors."""
    return render(text).html


@functools.lru_cache(maxsize=64)
def highlight_python(source: str) -> str:
    """A file as lines `<span id="line-3">` in a `pre`."""
    lines = highlight(source, get_lexer_by_name("python", stripnl=False), HtmlFormatter(nowrap=True)).splitlines()
    numbered = "\n".join(f'<span id="line-{number}">{line}</span>' for number, line in enumerate(lines, start=1))
    return f'<pre class="highlight" tabindex="0"><code>{numbered}\n</code></pre>'


@functools.cache
def _parser() -> MarkdownIt:
    """One for all texts: what it finds in one is kept in the state of that parse."""
    parser = MarkdownIt("commonmark", {"html": False, "highlight": _highlighted}).enable(["table", "strikethrough"])
    attrs_plugin(parser, spans=True, allowed=["id", "class"])
    dollarmath_plugin(parser, allow_labels=False, allow_digits=False)
    container_plugin(parser, "lab", render=_lab)
    container_plugin(parser, "question", render=_question)
    parser.core.ruler.after("block", "heading_anchor", _heading_anchors)
    parser.core.ruler.after("block", "cell_alignment", _cell_alignments)
    return parser


def _heading_anchors(state: StateCore) -> None:
    """Moves `{#anchor}` from the end of a heading's text to the id of the heading."""
    for opening, inline in zip(state.tokens, state.tokens[1:], strict=False):
        found = _HEADING_ANCHOR.search(inline.content) if opening.type == "heading_open" else None
        if found:
            opening.attrSet("id", found[1])
            inline.content = inline.content[: found.start()].rstrip()


def _lab(
    renderer: RendererProtocol, tokens: Sequence[Token], position: int, options: OptionsDict, environment: EnvType
) -> str:
    """Opens or closes the element of a lab. The island draws over what is in it; without one it stays."""
    if tokens[position].nesting != 1:
        return "</div>\n"
    placement = placement_of(tokens[position].info)
    if placement is None:
        return '<div class="lab">\n'
    settings = html.escape(json.dumps(placement.settings, ensure_ascii=False))
    return f'<div class="lab" data-island="lab" data-lab="{placement.name}" data-settings="{settings}">\n'


def question_of(info: str) -> str:
    """What stands behind the colons of a question, as Markdown: `question Why?`."""
    return info.strip().removeprefix("question").strip()


def _question(
    renderer: RendererProtocol, tokens: Sequence[Token], position: int, options: OptionsDict, environment: EnvType
) -> str:
    """Opens or closes a fold: its line is the question, what is in it the answer."""
    if tokens[position].nesting != 1:
        return "</details>\n"
    asked = _parser().renderInline(question_of(tokens[position].info))
    return f'<details class="fold question"><summary><span>{asked}</span></summary>\n'


def _cell_alignments(state: StateCore) -> None:
    """Says a cell's alignment by a class: the security policy of our pages allows no `style` attribute."""
    for token in state.tokens:
        if token.type in ("th_open", "td_open"):
            alignment = str(token.attrs.pop("style", "")).removeprefix("text-align:")
            if alignment in ("right", "center"):
                token.attrJoin("class", alignment)


def _anchored_spans(children: list[Token]) -> list[tuple[str, list[Token]]]:
    spans = []
    for start, token in enumerate(children):
        if token.type == "span_open" and "id" in token.attrs:
            depth = 0
            for end in range(start, len(children)):
                depth += {"span_open": 1, "span_close": -1}.get(children[end].type, 0)
                if depth == 0:
                    spans.append((str(token.attrs["id"]), children[start + 1 : end]))
                    break
    return spans


def _highlighted(code: str, language: str, attributes: str) -> str:
    highlighted = highlight(code, _lexer(language), HtmlFormatter(nowrap=True))
    return f'<pre class="highlight" tabindex="0"><code>{highlighted}</code></pre>'


@functools.lru_cache(maxsize=32)
def _lexer(language: str) -> Lexer:
    """Kept, because it takes longer to find one than to use it."""
    try:
        return get_lexer_by_name(language or "text")
    except ClassNotFound:
        return get_lexer_by_name("text")


def _sanitized(markup: str) -> str:
    return nh3.clean(
        markup,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer",
    )
