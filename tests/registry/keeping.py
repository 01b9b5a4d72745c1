"""Forgetting what the cache keeps."""

import uuid

from django.core.cache import cache, caches


def forget_kept_answers() -> None:
    """As if nothing were kept, here and in threads to come.

    Under another prefix, for emptying Redis would empty it for the tests of other processes too.
    """
    cache.key_prefix = caches.settings["default"]["KEY_PREFIX"] = uuid.uuid4().hex
