"""The ASGI application: `uvicorn judge.asgi:application`."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "judge.settings")
application = get_asgi_application()
