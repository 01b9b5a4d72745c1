"""Addresses of forms for results, of submissions, and of those who check them."""

from django.urls import path

from registry.submissions.views import bibliography, changing, moderation, submissions, submitting, tables, updates

app_name = "submissions"

urlpatterns = [
    path("submit/", submitting.result_submit, name="result-submit"),
    path("submit/table/", tables.table_submit, name="table-submit"),
    path("submit/suggestions.json", submitting.suggestion_list, name="suggestion-list"),
    path("submit/standing/", submitting.prospect_detail, name="prospect-detail"),
    path("submissions/", submissions.submission_list, name="submission-list"),
    path("submissions/<uuid:pk>/", submissions.submission_detail, name="submission-detail"),
    path("submissions/<uuid:pk>/progress.json", submissions.submission_progress, name="submission-progress"),
    path("submissions/<uuid:pk>/rows/<int:line>/", changing.row_edit, name="row-edit"),
    path("submissions/<uuid:pk>/rows/add/", changing.row_add, name="row-add"),
    path("submissions/<uuid:pk>/rows/remove/", changing.rows_remove, name="rows-remove"),
    path("submissions/<uuid:pk>/rows/percent/", changing.rows_take_in_percent, name="rows-percent"),
    path("submissions/<uuid:pk>/submit/", changing.submission_submit, name="submission-submit"),
    path("submissions/<uuid:pk>/take-back/", changing.submission_take_back, name="submission-take-back"),
    path("submissions/<uuid:pk>/delete/", changing.submission_delete, name="submission-delete"),
    path("submissions/<uuid:pk>/terms/", changing.terms_change, name="terms-change"),
    path("submissions/<uuid:pk>/check/", changing.check_restart, name="check-restart"),
    path("submissions/<uuid:pk>/count-readings/", moderation.readings_count, name="readings-count"),
    path("submissions/<uuid:pk>/comment/", moderation.comment_add, name="comment-add"),
    path("updates/", updates.update_list, name="update-list"),
    path("updates.atom", updates.update_feed, name="update-feed"),
    path("updates/<int:pk>/", updates.update_detail, name="update-detail"),
    path("moderation/", moderation.submission_queue, name="submission-queue"),
    path("moderation/papers/", bibliography.bibliography_import, name="bibliography-import"),
    path("moderation/<uuid:pk>/", moderation.submission_review, name="submission-review"),
    path("moderation/<uuid:pk>/start/", moderation.review_start, name="review-start"),
    path("moderation/<uuid:pk>/unmask/", moderation.contributor_unmask, name="contributor-unmask"),
]
