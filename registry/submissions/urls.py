"""Addresses of forms for results, of submissions, and of those who check them."""

from django.urls import path

from registry.core.http import one_of
from registry.submissions.views import moderation, submissions, submitting

app_name = "submissions"

#: What is done with a submission by a form on its page, by the end of the address.
_ACTS = {
    "rows/remove": submissions.rows_remove,
    "rows/undo": submissions.rows_undo,
    "rows/percent": submissions.rows_take_in_percent,
    "submit": submissions.submission_submit,
    "take-back": submissions.submission_take_back,
    "delete": submissions.submission_delete,
    "comment": submissions.comment_add,
}

urlpatterns = [
    path("submit/", submitting.results_submit, name="results-submit"),
    path("submit/suggestions.json", submitting.suggestion_list, name="suggestion-list"),
    path("submissions/", submissions.submission_list, name="submission-list"),
    path("submissions/<uuid:pk>/", submissions.submission_detail, name="submission-detail"),
    path("submissions/<uuid:pk>/systems/", submissions.systems_settle, name="systems-settle"),
    path("submissions/<uuid:pk>/rows/<int:line>/", submissions.row_edit, name="row-edit"),
    path("submissions/<uuid:pk>/rows/add/", submissions.row_add, name="row-add"),
    path("submissions/<uuid:pk>/<path:act>/", one_of(_ACTS), name="submission-act"),
    path("moderation/", moderation.submission_queue, name="submission-queue"),
    path("moderation/<uuid:pk>/", moderation.submission_review, name="submission-review"),
    path("moderation/<uuid:pk>/start/", moderation.review_start, name="review-start"),
]
