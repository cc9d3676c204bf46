import json
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from judge.vite import vite


@pytest.fixture
def manifest(tmp_path: Path, settings: Settings) -> Path:
    file = tmp_path / "manifest.json"
    settings.VITE_MANIFEST = file
    return file


def test_styles_and_chunks_come_before_the_script(manifest: Path) -> None:
    chunks = {
        "src/main.ts": {"file": "assets/main-1.js", "css": ["assets/main-1.css"], "imports": ["_shared.js"]},
        "_shared.js": {"file": "assets/shared-2.js", "css": ["assets/shared-2.css"]},
        "src/other.ts": {"file": "assets/other-3.js"},
    }
    manifest.write_text(json.dumps(chunks))

    assert vite("src/main.ts") == (
        '<link rel="stylesheet" href="/static/assets/shared-2.css">\n'
        '<link rel="stylesheet" href="/static/assets/main-1.css">'
        '<link rel="modulepreload" href="/static/assets/shared-2.js">'
        '<script type="module" src="/static/assets/main-1.js"></script>'
    )


def test_a_front_end_that_is_not_built_says_how_to_build_it(manifest: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"there is no .*manifest.json. Run `make serve`"):
        vite("src/main.ts")


def test_an_unknown_entry_is_named(manifest: Path) -> None:
    manifest.write_text(json.dumps({"src/main.ts": {"file": "assets/main.js"}}))

    with pytest.raises(ImproperlyConfigured, match=r"no entry 'src/mian.ts'; it has src/main.ts"):
        vite("src/mian.ts")
