"""The web application, for any WSGI server; ``registry.rsgi`` has it as ours serves it."""

import gc
import os
from importlib import import_module

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "registry.settings")
application = get_wsgi_application()

# Loads every view before the first visitor comes.
import_module("registry.urls")

# What is loaded by now stays for good: hidden from the collector, it no longer slows answers down.
gc.collect()
gc.freeze()
# An answer makes some ten thousand objects, and nearly none that only the collector frees: let it run seldom.
gc.set_threshold(50_000, 20)
