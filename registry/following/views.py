"""Following something, how often to hear of it, and the end of all digests."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt

from analysis.readers.rejections import Refused
from registry.accounts.access import require_contributor
from registry.accounts.keeping import sign_in_first
from registry.core.http import site_address
from registry.core.views import may_post
from registry.following import services
from registry.following.access import get_followable, get_own_following, read_stop_token
from registry.following.forms import STOP, EverythingForm, FollowForm, FollowingListForm
from registry.following.models import Following


@sign_in_first
@may_post
def following_edit(request: HttpRequest, kind: str, pk: int) -> HttpResponse:
    """Follow a collection, leaderboard, system, paper or model; whoever has to sign in first comes back here."""
    thing = get_followable(kind, pk)
    user = require_contributor(request.user)
    following = get_own_following(user, kind, thing.pk)
    form = FollowForm(request.POST or None, following)
    if form.is_valid():
        every = form.cleaned_data["every"]
        try:
            if following and every == STOP:
                services.unfollow(following=following)
            else:
                services.follow(user=user, thing=thing, every=every, site=site_address())
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            often = "not any more" if every == STOP else Following.Every(every).label
            messages.success(request, f"You follow {thing}: {often}.")
            return redirect(thing)
    context = {"form": form, "thing": thing, "kind": kind, "following": following}
    return render(request, "following/following_edit.html", context)


@sign_in_first
@may_post
def following_list(request: HttpRequest) -> HttpResponse:
    """What one follows, and how often each is told of."""
    user = require_contributor(request.user)
    followings = Following.objects.of(user)
    everything = EverythingForm(request.POST if "everything" in request.POST else None)
    if everything.is_valid():
        services.set_every_for_all(user=user, every=everything.cleaned_data["everything"])
        messages.success(request, "Your choice holds for everything that you follow.")
        return redirect("following:following-list")
    form = FollowingListForm(None if everything.is_bound else request.POST or None, followings)
    if form.is_valid():
        for following, every in form.changes():
            if every == STOP:
                services.unfollow(following=following)
            else:
                services.set_every(following=following, every=every)
        messages.success(request, "Your choices are saved.")
        return redirect("following:following-list")
    context = {"form": form, "everything": everything, "most": services.MAX_FOLLOWED}
    return render(request, "following/following_list.html", context)


# The mail program that asks (RFC 8058) has no cookie; the signed link says who wants it.
@csrf_exempt
@may_post
def digests_stop(request: HttpRequest, token: str) -> HttpResponse:
    """End somebody's digests without signing in: at once by POST, as mail programs do; by a button for people."""
    user_id = read_stop_token(token)
    if request.method == "POST":
        services.stop_digests(user_id=user_id)
    return render(request, "following/digests_stop.html", {"is_stopped": request.method == "POST"})
