"""Make the site that tests of moving begin with: something of every app, as the release before kept it.

It runs in a checkout of that release (commit c047972), on an empty database of its own:

    PLUMBLINE_HOME=HOME python manage.py migrate --create -v0
    PLUMBLINE_HOME=HOME PYTHONPATH=. python manage.py shell -v0 -c "exec(open('MAKE.PY').read())"
    PLUMBLINE_HOME=HOME python manage.py backup old.sqlite3 && xz old.sqlite3

With ``DATABASE_URL`` the same, and ``pg_dump --inserts --no-owner --no-privileges | xz`` at the end.
"""

from allauth.account.models import EmailAddress
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.backends.db import SessionStore
from django.db import transaction
from django.utils import timezone

from registry.accounts.services import create_token
from registry.cautions.services import answer_caution, decide_on_caution
from registry.core.models import Job
from registry.core.services import record_heartbeat, run_job, run_routine
from registry.following.services import follow
from registry.journal.sealing import seal_new
from registry.lineage.models import Lineage
from registry.lineage.services.deciding import join_lineage
from registry.oddities.models import Oddity
from registry.oddities.services import find_oddities
from registry.results.models import Paper, Result
from registry.results.services.endings import supersede_result, withdraw_result
from registry.runs.services.judging import put_judgements
from registry.runs.services.studying import ask_for_study
from registry.runs.services.uploading import hand_in
from registry.search.services import index_registry
from registry.submissions.models import Errand
from registry.submissions.services.reviewing import add_comment
from registry.suites.services.elsewhere import refresh_elsewhere
from tests.registry import factory
from tests.registry.cautions.world import CODE, make_apart
from tests.registry.leaderboards.boards import make_board, mark_changed
from tests.registry.runs.world import QRELS, TOPICS, run_of
from tests.registry.submissions.world import make_published, make_robust04, make_submission, make_submitted
from tests.registry.suites.world import make_suite


def work() -> None:
    """What workers do about all that waits."""
    while queued := list(Job.objects.filter(state=Job.State.QUEUED)):
        for job in queued:
            run_job(str(job.pk))


people = {name: factory.make_user(name, email=f"{name}@example.org") for name in ("ada", "grace", "karen", "gone")}
for user in people.values():
    user.set_password("a long password to sign in with")
    user.save()
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
editor, contributor = people["grace"], people["karen"]
type(editor).objects.filter(pk=editor.pk).update(is_editor=True)
type(editor).objects.filter(username="ada").update(is_staff=True, is_superuser=True)
people["gone"].delete()
editor.refresh_from_db()
create_token(user=contributor, name="nightly", scopes=["read", "submit"], days=365)
session = SessionStore()
session["_auth_user_id"] = str(contributor.pk)
session.create()

group = Group.objects.create(name="readers of lineages")
group.permissions.add(Permission.objects.get(codename="view_lineage", content_type__app_label="lineage"))
editor.groups.add(group)
editor.user_permissions.add(Permission.objects.get(codename="view_oddity", content_type__app_label="oddities"))

# Results and the entries that they were recorded by are sealed together, after the commit.
with transaction.atomic():
    board = make_board(n_topics=12)
    best, second, third, *_, last = Result.objects.order_by("pk")
    factory.make_topics(board.collection, TOPICS)
    for number, result in enumerate((best, second, third)):
        factory.make_topic_scores(result, [result.value + (place - 5.5) * 0.01 * (number + 1) for place in range(12)])
    supersede_result(result=best, changes={"printed": "0.33"}, actor=editor, reason="A slip of the pen.")
    withdraw_result(result=last, actor=editor, reason="Of another collection.")
    factory.make_result(board, printed="0.0000")
    mark_changed(board)
    apart = make_apart()
answer_caution(result=apart, code=CODE, person=contributor, text="It is right: see the appendix.")
decide_on_caution(result=apart, code=CODE, kind="kept", actor=editor, reason="There is no appendix.")
Lineage.objects.create(
    system=second.system, key="model:bge", origin="loaded", source="its card", recorded_at=timezone.now()
)
join_lineage(system=third.system, key="model:bge", actor=editor, reason="Its card says so.")
make_suite("two", [board, apart.leaderboard])
refresh_elsewhere(reason="scores on members changed")
follow(user=contributor, thing=board, every="week", site="http://localhost")

make_robust04()
make_published(contributor)
submitted = make_submitted(contributor, rows=[{**make_submission().rows.get().cells, "system": "Model Y"}])
add_comment(submission=submitted, author=editor, text="Which table?")
make_submission(contributor, rows=[{"collection": "robust04", "measure": "MAP", "system": "a draft", "value": "0.31"}])
Errand.objects.create(
    user=contributor, request={"method": "POST", "path": "/submit/table/"}, body=b"\x00\xff rows", digest="d" * 64
)
put_judgements(collection=board.collection, content=QRELS, source="the track")
uploads = [
    hand_in(owner=contributor, name=name, collection=board.collection, content=run_of(*documents))
    for name, documents in {"one": ("good", "bad"), "two": ("bad", "good", "fair")}.items()
]
work()
ask_for_study(upload=uploads[0], others=uploads[1:], leaderboard=board, is_alone=False)
for name in ("pairs.study_missing", "resolution.study_missing", "lineage.find_twins"):
    run_routine(name)
find_oddities(reason="looked through the record for what is odd")
work()
Job.objects.create(kind="pairs.study_leaderboard", args={"leaderboard_id": board.pk}, key="waits")
index_registry(is_forced=True)
record_heartbeat()
LogEntry.objects.create(
    user=people["ada"],
    content_type=ContentType.objects.get(app_label="lineage", model="lineage"),
    object_id="1",
    object_repr="model:bge",
    action_flag=CHANGE,
    change_message="",
)
seal_new()
assert Oddity.objects.exists()
assert Paper.objects.exists()
