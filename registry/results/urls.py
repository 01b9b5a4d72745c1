"""Addresses of systems, papers, results, corrections and the public pages."""

from django.urls import path, re_path

from registry.results.views import corrections, pages

app_name = "results"

urlpatterns = [
    path("systems/<str:slug>/", pages.system_detail, name="system-detail"),
    path("sources/<path:name>/", pages.source_detail, name="source-detail"),
    path("papers/<str:slug>/", pages.paper_detail, name="paper-detail"),
    re_path(r"^papers/(?P<slug>[^/]+)\.(?P<suffix>bib|ris|json)$", pages.paper_citation, name="paper-citation"),
    path("systems/<str:slug>.atom", pages.system_feed, name="system-feed"),
    path("papers/<str:slug>.atom", pages.paper_feed, name="paper-feed"),
    path("results/<int:pk>/", pages.result_detail, name="result-detail"),
    path("results/<int:pk>.atom", pages.result_feed, name="result-feed"),
    path("results/<int:pk>/correct/", corrections.result_correct, name="result-correct"),
    path("results/<int:pk>/withdraw/", corrections.result_withdraw, name="result-withdraw"),
    path("results/<int:pk>/supersede/", corrections.result_supersede, name="result-supersede"),
    path("systems/<str:slug>/merge/", corrections.system_merge, name="system-merge"),
    path("systems/<str:slug>/model/", corrections.system_model, name="system-model"),
    path("systems/<str:slug>/rename/", corrections.system_rename, name="system-rename"),
    path("papers/<str:slug>/merge/", corrections.paper_merge, name="paper-merge"),
    re_path(r"^results/(?P<pk>\d+)/(?P<step>transcribe|confirm)/$", corrections.result_confirm, name="result-confirm"),
    path("papers/<str:slug>/correct/", corrections.paper_correct, name="paper-correct"),
    path("corrections/<int:pk>/", corrections.correction_detail, name="correction-detail"),
    path("log/<int:pk>/undo/", corrections.entry_undo, name="entry-undo"),
    path("log/", pages.log_list, name="log-list"),
    path("log/heads/", pages.heads, name="log-heads"),
    path("log/corrections/", corrections.correction_list, name="correction-list"),
    re_path(r"^log\.(?P<suffix>atom|csv|json)$", pages.log_list, name="log-file"),
    path("log/<int:pk>/", pages.entry_detail, name="entry-detail"),
    path("collections/<str:name>/log/", pages.collection_log, name="collection-log"),
    re_path(
        r"^collections/(?P<name>[^/]+)/log\.(?P<suffix>atom|csv|json)$",
        pages.collection_log,
        name="collection-log-file",
    ),
]
