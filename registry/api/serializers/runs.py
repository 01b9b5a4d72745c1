"""What was found of runs that people send."""

from registry.api.serializers.common import paged
from registry.api.serializers.derived import describe
from registry.runs.documents import UploadDocument

Run = describe("Run", UploadDocument)
RunList = paged("RunList", Run, meaning="One's runs and tables of topic scores, in pages.")
