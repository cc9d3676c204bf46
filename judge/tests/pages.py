"""Reading a page as a person does: its words and its links, whatever the markup around them."""

import re
from html.parser import HTMLParser
from typing import Any


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.links: list[str] = []
        self._silent = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent = tag in ("script", "style")
        if tag == "a":
            self.links.append(dict(attrs).get("href") or "")

    def handle_endtag(self, tag: str) -> None:
        self._silent = False

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.words.append(data)


def _read(response: Any) -> _Page:
    page = _Page()
    page.feed(response.content.decode())
    return page


def words(response: Any) -> str:
    """The text of the page, with single spaces."""
    return re.sub(r"\s+", " ", "".join(_read(response).words)).strip()


def links(response: Any) -> list[str]:
    """The addresses of all links of the page, in order."""
    return _read(response).links
