"""Addresses of forms for results, of submissions, and of those who check them."""

from django.urls import path

from registry.submissions.views import moderation, submissions, submitting

app_name = "submissions"

urlpatterns = [
    path("submit/", submitting.results_submit, name="results-submit"),
    path("submit/suggestions.json", submitting.suggestion_list, name="suggestion-list"),
    path("submissions/", submissions.submission_list, name="submission-list"),
    path("submissions/<uuid:pk>/", submissions.submission_detail, name="submission-detail"),
    path("submissions/<uuid:pk>/progress.json", submissions.submission_progress, name="submission-progress"),
    path("submissions/<uuid:pk>/rows/<int:line>/", submissions.row_edit, name="row-edit"),
    path("submissions/<uuid:pk>/rows/add/", submissions.row_add, name="row-add"),
    path("submissions/<uuid:pk>/rows/remove/", submissions.rows_remove, name="rows-remove"),
    path("submissions/<uuid:pk>/rows/percent/", submissions.rows_take_in_percent, name="rows-percent"),
    path("submissions/<uuid:pk>/submit/", submissions.submission_submit, name="submission-submit"),
    path("submissions/<uuid:pk>/take-back/", submissions.submission_take_back, name="submission-take-back"),
    path("submissions/<uuid:pk>/delete/", submissions.submission_delete, name="submission-delete"),
    path("submissions/<uuid:pk>/check/", submissions.check_restart, name="check-restart"),
    path("submissions/<uuid:pk>/count-readings/", moderation.readings_count, name="readings-count"),
    path("submissions/<uuid:pk>/comment/", moderation.comment_add, name="comment-add"),
    path("moderation/", moderation.submission_queue, name="submission-queue"),
    path("moderation/<uuid:pk>/", moderation.submission_review, name="submission-review"),
    path("moderation/<uuid:pk>/start/", moderation.review_start, name="review-start"),
]
