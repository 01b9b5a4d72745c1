"""What was found of runs that people send."""

from registry.api.serializers.derived import describe
from registry.runs.documents import UploadDocument

Run = describe("Run", UploadDocument)
