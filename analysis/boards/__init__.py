"""The best result of one leaderboard: one verdict on it, which can be recomputed anywhere.

:func:`study` takes :class:`BoardInputs` (rows, topics, what is known of variances) and answers with :class:`Findings`.
:func:`make_snapshot` keeps both under an id made of their content, :func:`verify_snapshot` computes one again; so does
``python -m analysis.boards verify SNAPSHOT.json [TOPIC_SCORES.csv]``. :func:`headline` says it in a sentence.
:func:`study_suite` does the same for the mean over several collections.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
