"""Collections, measures, and how a leaderboard is named."""

from registry.api.serializers.common import paged
from registry.api.serializers.derived import describe
from registry.catalog.documents import CollectionDocument, MeasureDocument
from registry.search.documents import FoundDocument, ThingDocument
from registry.tools.baselines.documents import BaselinesDocument
from registry.tools.passports.documents import Passport
from registry.tools.resolution.documents import ResolutionDocument
from registry.tools.standardization.across import SystemAcross as SystemAcrossDocument
from registry.tools.standardization.across import YearAcross as YearAcrossDocument
from registry.tools.standardization.documents import StandardizedDocument

CollectionFull = describe("CollectionFull", CollectionDocument)
CollectionList = paged("CollectionList", CollectionFull, meaning="Collections, in pages.")
CollectionResolution = describe("CollectionResolution", ResolutionDocument)
CollectionBaselines = describe("CollectionBaselines", BaselinesDocument)
CollectionStandardized = describe("CollectionStandardized", StandardizedDocument)
SystemAcross = describe("SystemAcross", SystemAcrossDocument)
YearAcross = describe("YearAcross", YearAcrossDocument)
Model = describe("Model", Passport)
MeasureFull = describe("MeasureFull", MeasureDocument)
MeasureList = paged("MeasureList", MeasureFull, meaning="Measures, in pages.")
Found = paged("Found", describe("FoundThing", ThingDocument), FoundDocument)
