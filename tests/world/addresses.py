"""What is approved: an address of each kind, and who asks for it; and the kinds that are not, each with its reason."""

BOARD, TOPICS, SUITE = "/leaderboards/news/AP", "/leaderboards/alpha/AP", "/suites/quill/nDCG@10"
API = "/api/v1"

#: What anybody may ask for.
PUBLIC = (
    "/",
    *("/card.png", "/moves.atom", "/feed.atom", "/robots.txt", "/sitemap.xml", "/sitemap-1.xml"),
    # Catalog and search.
    *("/collections/", "/collections.csv", "/collections.json", "/collections/?q=quill"),
    *("/leaderboards/", "/leaderboards.csv", "/leaderboards.json", "/leaderboards/?q=news"),
    *("/models/", "/models.csv", "/models.json", "/systems/", "/systems.csv", "/systems.json"),
    *("/papers/", "/papers.csv", "/papers.json", "/measures/", "/measures.csv", "/measures.json"),
    *("/search/", "/search/?q=aster", "/search/?q=nDCG@10+quill", "/search/?q=W19", "/search/?q=nothing+such"),
    *("/search.csv?q=aster", "/search.json?q=robertson", "/measures/AP/", "/measures/nDCG@10/"),
    # Collections and what stands on their tabs.
    *("/collections/news/", "/collections/quill-law/", "/collections/reviews/", "/collections/answers/"),
    *("/collections/web-doc/", "/collections/news.croissant.json", "/collections/news/about/"),
    *("/collections/quill-health/about/", "/collections/news/log/", "/collections/news/log.atom"),
    *("/collections/news/log.csv", "/collections/news/log.json"),
    *("/collections/abstracts/judgements/", "/collections/news/judgements/", "/collections/abstracts/judgements.qrels"),
    *("/collections/alpha/resolution/", "/collections/alpha/resolution.json", "/collections/news/resolution/"),
    *("/collections/news/baselines/", "/collections/news/baselines.json", "/collections/answers/baselines/"),
    *("/collections/alpha/standardized/", "/collections/alpha/standardized.json", "/collections/web-doc/standardized/"),
    # Leaderboards: every kind of evidence, and every choice.
    *(f"/leaderboards/{names}/" for names in ("news/AP", "news/P@10", "news/GMAP", "alpha/AP", "alpha/P@10")),
    *(f"/leaderboards/{names}/" for names in ("answers/RR@10", "reviews/LastRel", "reviews/AP", "web-doc/nDCG@10")),
    *(f"/leaderboards/quill-{name}/nDCG@10/" for name in ("arguments", "finance", "health", "law", "health-hn")),
    *("/leaderboards/quill-health/R@100/", "/leaderboards/abstracts/AP/"),
    *("/leaderboards/quill-finance/nDCG@10/?view=all", "/leaderboards/quill-finance/nDCG@10/?view=declared"),
    *(f"{BOARD}/?as_of=2026-03-05", f"{BOARD}/?published_by=2012", f"{BOARD}/?role=proposed", f"{BOARD}/?sort=year"),
    *(f"{BOARD}/?q=method", f"{BOARD}/?as_of=1999-01-01", f"{BOARD}/?as_of=yesterday"),
    *(f"{BOARD}.{suffix}" for suffix in ("json", "csv", "tex", "md", "bib", "biblatex.bib", "sources.bib", "ris")),
    *(f"{BOARD}.{suffix}" for suffix in ("csl.json", "croissant.json", "macros.tex", "atom")),
    *("/leaderboards/alpha/AP.csv", "/leaderboards/alpha/AP.json", "/leaderboards/alpha/AP.tex"),
    *("/leaderboards/quill-law/nDCG@10.json", "/leaderboards/quill-arguments/nDCG@10.json"),
    *("/leaderboards/quill-finance/nDCG@10.json", "/leaderboards/quill-finance/nDCG@10.csv"),
    *("/leaderboards/reviews/LastRel.json", "/leaderboards/answers/RR@10.json", f"{BOARD}.json?as_of=2026-03-05"),
    *(f"{BOARD}/{name}" for name in ("badge.svg", "card.png", "figure.png", "figure.svg")),
    "/leaderboards/quill-law/nDCG@10/figure.svg",
    # Suites.
    *("/suites/", "/suites.csv", "/suites.json", "/suites/quill/", f"{SUITE}/", f"{SUITE}/?view=all", f"{SUITE}.atom"),
    *(f"{SUITE}.{suffix}" for suffix in ("json", "csv", "tex", "md", "bib", "biblatex.bib", "ris", "csl.json")),
    *(f"{SUITE}.{suffix}" for suffix in ("croissant.json", "macros.tex")),
    *(f"{SUITE}/{name}" for name in ("badge.svg", "card.png", "figure.png", "figure.svg")),
    # Topic by topic.
    *(f"{TOPICS}/pairs/", f"{TOPICS}/pairs.json", f"{TOPICS}/pairs/?test=t&correction=none", f"{TOPICS}/topics/"),
    *(f"{TOPICS}/pairs/1/3/", f"{TOPICS}/pairs/1/3.json", f"{TOPICS}/pairs/1/3/?margin=0.02", f"{TOPICS}/topics.json"),
    f"{BOARD}/pairs/",
    # Systems, models, papers, results, sources.
    *("/systems/bm25/", "/systems/birch-embed-base/", "/systems/north-1/", "/systems/bm25.atom", "/systems/bm25/lineage/"),
    *("/models/birch-embed-base/", "/models/birch-embed-base.json", "/models/birch-embed-base.csv", "/models/bm25/"),
    *("/models/birch-embed-base.atom", "/models/birch-embed-base/badge.svg"),
    "/lineages/?key=team:birch",
    *("/sources/", "/sources.csv", "/sources.json", "/sources/quill/results/", "/sources/news/summary/"),
    *("/papers/{paper}/", "/papers/{retracted}/", "/papers/{paper}.bib", "/papers/{paper}.ris", "/papers/{paper}.json"),
    *("/papers/{paper}.atom", "/results/{best}/", "/results/{best}.bib", "/results/{best}.ris", "/results/{best}.atom"),
    *("/results/{best}.csl.json", "/results/{withdrawn}/", "/results/{superseded}/", "/results/{corrected}/"),
    *("/results/{disputed}/", "/results/{topics}/", "/results/{confirmed}/", "/systems/subset-run/"),
    *("/snapshots/{snapshot}/", "/snapshots/{earlier}/", "/snapshots/{suite}/", "/snapshots/{snapshot}/bundle.zip"),
    *(f"/snapshots/{{snapshot}}.{suffix}" for suffix in ("json", "bib", "biblatex.bib", "ris", "csl.json", "macros.tex")),
    *(f"/snapshots/{{snapshot}}/{name}" for name in ("badge.svg", "card.png", "figure.png", "figure.svg")),
    "/snapshots/{scored}/topic_scores.csv",
    *("/log/{merged}/", "/log/{loaded}/"),
    # Tools.
    *("/check/", "/check/?collection=news&measure=AP&score=0.33&baseline=0.25", "/compare/", "/review-table/"),
    "/check/?collection=quill-law&measure=nDCG@10&score=0.6&system=New&topics=100&tried=4",
    "/check/?n=103&topics=50&mean=0.2&best=0.303&sd=0.08&correlation=0.6",
    "/check/?collection=W19&measure=AP&score=1.2",
    *("/compare/?system=birch-embed-base&system=elm-embed-base&system=bm25", "/compare.json?system=bm25&system=run1"),
    *("/reproduced/", "/reproduced.json", "/reproduced.csv"),
    # The record, the data, and documents.
    *("/log/", "/log.csv", "/log.json", "/log.atom", "/log/corrections/", "/log/?q=withdrawn"),
    *("/data/", "/data.json", "/people/ada/", "/contact/", "/docs/", "/docs/api/", "/methods/", "/methods/calibration/"),
    *("/methods/papers/", "/methods/papers.csv", "/methods/papers.json", "/methods/papers/carterette-2015/"),
    *("/methods/papers/carterette-2015.json", "/methods/papers/carterette-2015/figure-1/"),
    *("/methods/papers/carterette-2015/figure-1.csv", "/methods/papers/carterette-2015/figure-1.json"),
    *("/runs/", "/submit/", "/submit/table/", "/-/health/"),
    # The API.
    *(f"{API}/", f"{API}/search/?q=aster", f"{API}/collections/?q=quill", f"{API}/measures/?page_size=2"),
    *(f"{API}/measures/AP/", f"{API}/suites/", f"{API}/suites/quill/", f"{API}{SUITE}/?page_size=2"),
    *(f"{API}/leaderboards/?sort=n_results&page_size=2", f"{API}/collections/quill-law/", f"{API}{BOARD}/?page_size=3"),
    *(f"{API}{BOARD}/results/?page_size=3", f"{API}{BOARD}/results/?format=csv&role=proposed"),
    *(f"{API}{TOPICS}/pairs/", f"{API}{TOPICS}/pairs/1/3/", f"{API}{TOPICS}/topics/"),
    *(f"{API}/collections/{name}/" for name in ("alpha/resolution", "news/baselines", "alpha/standardized")),
    *(f"{API}/systems/birch-embed-base/", f"{API}/systems/birch-embed-base/results/", f"{API}/models/bm25/"),
    *(f"{API}/papers/{{paper}}/", f"{API}/papers/{{paper}}/results/", f"{API}/results/{{superseded}}/"),
    *(f"{API}/snapshots/{{snapshot}}/", f"{API}/snapshots/{{suite}}/"),
    *(f"{API}/results/1/", f"{API}/reproduced/", f"{API}/compare/?system=1&system=2"),
    *(f"{API}/check/?collection=news&measure=AP&score=0.33&baseline=0.25&tried=4", f"{API}/collections/nothing/"),
    f"{API}/check/best-of/?n=103&topics=50&mean=0.2&best=0.303&sd=0.08&correlation=0.6",
)

#: What ada, who hands in, asks for; and grace, who edits.
ADA = (
    *("/", "/submit/", "/submissions/", "/runs/", "/runs/{upload}/", "/runs/{upload}/topic-scores.csv"),
    *("/runs/{upload}/progress/", "/runs/{upload}/executions/", "/runs/own/"),
    *(f"/submissions/{{{state}}}/" for state in ("draft", "published", "waits", "review", "returned", "refused")),
    *("/submissions/{draft}/rows/1/", "/submissions/{draft}/rows/4/", "/submissions/{draft}/rows/add/"),
    *("/submissions/{draft}/progress.json", "/submit/suggestions.json?field=system&q=aster", "/moderation/"),
    *("/accounts/", "/accounts/tokens/", "/accounts/export/", "/accounts/delete/", "/people/ada/"),
    *("/results/{best}/correct/", "/results/{best}/transcribe/", "/results/{best}/confirm/"),
    *(f"/systems/birch-embed-base/{name}/" for name in ("training",)),
    *("/papers/{paper}/significance/", "/corrections/{request}/", "/results/{best}/withdraw/"),
    *(f"{API}/submissions/", f"{API}/submissions/{{draft}}/", f"{API}/submissions/{{draft}}/rows/"),
    *(f"{API}/submissions/{{draft}}/rows/4/", f"{API}/submissions/{{published}}/results/", f"{API}/runs/{{upload}}/"),
)
GRACE = (
    *("/moderation/", "/moderation/{waits}/", "/moderation/{review}/", "/moderation/papers/", "/submissions/{waits}/"),
    *("/results/{best}/withdraw/", "/results/{best}/supersede/", "/results/{best}/correct/", "/results/{best}/"),
    *(f"/systems/bm25/{name}/" for name in ("merge", "model", "rename")),
    *("/papers/{paper}/merge/", "/papers/{paper}/retraction/", "/papers/{paper}/authors/"),
    *("/corrections/{request}/", "/log/{merged}/undo/", "/log/{merged}/", "/accounts/people/", "/accounts/people/ada/"),
    *("/collections/quill-law/curators/", "/collections/quill-law/"),
)
ADDRESSES = (
    *((None, address) for address in PUBLIC),
    *(("ada", address) for address in ADA),
    *(("grace", address) for address in GRACE),
)

#: Addresses of pages and answers that have no approval, as the URL conf writes them, each with the reason.
EXEMPT: dict[str, str] = {}
