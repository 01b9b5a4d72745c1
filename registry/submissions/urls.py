"""Addresses of forms for results, of submissions, and of those who check them."""

from django.urls import path

from registry.submissions.views import submissions, submitting

app_name = "submissions"

urlpatterns = [
    path("submit/", submitting.result_submit, name="result-submit"),
    path("submit/suggestions.json", submitting.suggestion_list, name="suggestion-list"),
    path("submit/standing/", submitting.standing, name="standing"),
    path("submissions/", submissions.submission_list, name="submission-list"),
    path("submissions/<uuid:pk>/", submissions.submission_detail, name="submission-detail"),
]
