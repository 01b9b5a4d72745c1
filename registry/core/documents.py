"""Texts in answers for programs that are more than texts; the API's description says what."""

from datetime import date, datetime
from typing import Annotated
from uuid import UUID

Day = Annotated[str, date]
Moment = Annotated[str, datetime]
Uuid = Annotated[str, UUID]
