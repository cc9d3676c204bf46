"""A learner without a browser: signs up, hands in, and waits for the verdict, over HTTP as the front end does it."""

from __future__ import annotations

import http.cookiejar
import json
import ssl
import time
import urllib.request
import uuid
from typing import Any
from urllib.parse import urlencode

PASSWORD = "correct horse battery 7"
JUDGED_SECONDS = 60


class Learner:
    """An account of its own."""

    def __init__(self, url: str, tls: ssl.SSLContext | None = None) -> None:
        """`url` is the site's, with a slash at the end; `tls` is for an address with https."""
        self.url = url
        self.name = f"learner-{uuid.uuid4().hex[:8]}"
        self.cookies = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(self.cookies), urllib.request.HTTPSHandler(context=tls)
        )
        self.get("accounts/sign-up/")
        self.post_form(
            "accounts/sign-up/", {"username": self.name, "password1": PASSWORD, "password2": PASSWORD}
        ).close()

    @property
    def token(self) -> str:
        return next(cookie.value or "" for cookie in self.cookies if cookie.name == "csrftoken")

    def get(self, path: str) -> bytes:
        with self.opener.open(self.url + path.lstrip("/"), timeout=30) as answer:
            content: bytes = answer.read()
            return content

    def post_form(self, path: str, values: dict[str, str]) -> Any:
        form = {**values, "csrfmiddlewaretoken": self.token}
        request = urllib.request.Request(self.url + path, urlencode(form).encode(), {"Referer": self.url + path})
        return self.opener.open(request, timeout=30)

    def hand_in(self, source: str, problem: str = "moco") -> str:
        """Hands in and returns the address of the report's state."""
        headers = {"Content-Type": "application/json", "X-CSRFToken": self.token, "Referer": self.url}
        body = json.dumps({"source": source}).encode()
        request = urllib.request.Request(f"{self.url}problems/{problem}/submissions/", body, headers)
        with self.opener.open(request, timeout=30) as answer:
            assert answer.status == 201
            address: str = json.load(answer)["state_url"]
            return address

    def state(self, state_url: str) -> dict[str, Any]:
        state: dict[str, Any] = json.loads(self.get(state_url))
        return state

    def finished(self, state_url: str, seconds: float = JUDGED_SECONDS) -> dict[str, Any]:
        """The state once it is judged."""
        deadline = time.monotonic() + seconds
        while True:
            state = self.state(state_url)
            if state["state"] == "finished":
                return state
            assert time.monotonic() < deadline, f"not judged after {seconds} s: {state}"
            time.sleep(0.2)

    def verdict(self, state_url: str) -> str:
        return str(self.finished(state_url)["verdict"])
