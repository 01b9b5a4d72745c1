"""What addresses are called where nobody recorded the title of what stands there."""

from urllib.parse import unquote, urlsplit

#: Hosts whose addresses begin with an owner and a name: what such a page is.
_NAMED_PAGES = {"huggingface.co": "Model card of", "github.com": "Repository"}
#: Under these the first part is no owner.
_NO_OWNERS = frozenset({"blog", "collections", "datasets", "docs", "papers", "spaces"})


def page_name(address: str) -> str:
    """``Model card of deepvk/USER-base``, ``Repository xhluca/bm25s``, ``arXiv 1904.09171``; else host and path.

    It says no more than the address does; blank where there is none.
    """
    parts = urlsplit(address)
    host = parts.netloc.removeprefix("www.")
    path = unquote(parts.path).strip("/")
    first, second, *_ = [*path.split("/"), "", ""]
    if host in _NAMED_PAGES and second and first not in _NO_OWNERS:
        return f"{_NAMED_PAGES[host]} {first}/{second}"
    if host == "arxiv.org" and first in {"abs", "pdf"} and second:
        return f"arXiv {path.partition('/')[2].removesuffix('.pdf')}"
    return f"{host}/{path}".rstrip("/") if host else address


def is_page(address: str) -> bool:
    """Whether it leads to a model card or a repository, and so to no paper."""
    return page_name(address).startswith(tuple(f"{what} " for what in _NAMED_PAGES.values()))
