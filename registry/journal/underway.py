"""Who is adding entries at this moment.

An entry has its id before it is committed: on PostgreSQL one with a lower id may be seen after one with a higher id. So
whoever tells one state of the record from another by the last id asks, in the same statement, who is on the way to
add entries, too. On SQLite whoever writes is alone.
"""

from typing import Any

from django.db import connection
from django.db.models import Func, TextField

#: PostgreSQL's lock that everybody who adds entries shares until they commit; any number that nothing else uses.
_LOCK = 0x5EA2
_HOLDERS = (
    "(SELECT string_agg(virtualtransaction, ' ' ORDER BY virtualtransaction) FROM pg_locks"
    f" WHERE locktype = 'advisory' AND objid = {_LOCK}"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))"
)


class Underway(Func):
    """The transactions that add entries and are not committed; None without any.

    A statement sees what was committed when it began, and the locks after that: a transaction of which it sees no
    entries either still holds its lock, or is committed before the next statement.
    """

    template = "NULL"
    output_field = TextField()

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, template=_HOLDERS, **context)


def go_underway() -> None:
    """Be among those who add entries until the transaction ends; call it before an entry has its id."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock_shared(%s)", [_LOCK])
