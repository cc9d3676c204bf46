from django.conf import settings

from judge.operations.reference import as_markdown


def test_the_reference_of_the_settings_is_current() -> None:
    written = (settings.BASE_DIR / "docs" / "configuration.md").read_text(encoding="utf-8")

    assert written == as_markdown(settings.ENVIRONMENT), "run `.venv/bin/python manage.py settings_reference`"
