"""Days as moments: a day ends with its last microsecond, in UTC."""

from datetime import UTC, date, datetime, time


def end_of(day: date) -> datetime:
    """The last moment of the day."""
    return datetime.combine(day, time.max, tzinfo=UTC)
