"""The reference of all settings, from the settings themselves."""

from judge.environment import Environment

_HEAD = """\
# Configuration

<!-- Made by `manage.py settings_reference`; the text of each row is in judge/settings.py. -->

All settings are environment variables. An empty one counts as unset. A bad value stops the start with a message that
names it. Each may also be given as a file: `PAPERJUDGE_DATABASE_FILE=/run/secrets/database` reads `PAPERJUDGE_DATABASE`
from there, so that a secret is not in the environment.
"""


def as_markdown(environment: Environment) -> str:
    blocks = [_HEAD]
    for title, settings in environment.groups.items():
        blocks.append(f"\n## {title}\n\n| variable | default | meaning |\n|---|---|---|\n")
        blocks += [f"| `{setting.name}` | {_shown(setting.default)} | {setting.meaning} |\n" for setting in settings]
    return "".join(blocks)


def _shown(default: str) -> str:
    """A value as code; words as they are."""
    if not default:
        return "none"
    return default if "`" in default or " " in default or default == "none" else f"`{default}`"
