#!/usr/bin/env python
"""Django's command line for Plumbline."""

import os
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "registry.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db import Error

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"Wrong settings: {error}")
    except Error as error:
        from registry.core.refusals import outage_of

        if outage_of(error) is None or "--traceback" in sys.argv:
            raise
        sys.exit(f"The database cannot be used: {error}")
