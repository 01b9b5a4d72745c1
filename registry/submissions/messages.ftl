### What submissions say: forms, signals, states and mails. Scores are text, counts are numbers.

## The form

submit-nothing = Paste a table, or choose a file.
submit-needed = Please fill this in.
submit-one-or-table = Enter one score or a table. Empty this field, or the table.
submit-source = Add a source: a paper, a page or a run.
submit-several = Several have this name.{ " " }
submit-too-many = The table has { $n } results; at most { $most } fit. Send it in parts.
submit-choose-rows = Choose rows first.
decide-reason = Give a reason. The contributor will see it.
decide-publish = Publish { $n ->
    [one] the row
   *[other] all { $n } rows
}
decide-part = Publish the rows that are chosen; the rest stays in review
part-done = They are published. The rest is still in review.
part-choose = Choose some of its rows, not all. To publish all, decide so.
part-details = { $n ->
    [one] 1 row
   *[other] { $n } rows
}, now submission { $part }.
decide-return = Return it for changes
decide-reject = Reject it
decide-count-same = Count the { $n ->
    [one] row
   *[other] { $n } rows
} already on record as read a second time

## Whose the systems of a draft are

settle-lead = { $known } of { $n } { $n ->
    [one] system looks
   *[other] systems look
} known, by name or scores. Check them; then save.
settle-name = { $name } names no system: other papers have one, too. Give it a name.
settle-why = Proposed as yours: { $why ->
    [bold] bold in the table.
   *[other] in the last group of rows.
}
settle-needed = Say which system this is.
settle-taken = On record: { $names }. Write one of these, or “{ $another }”.
settle-saved = Saved: { $own } of yours, { $baselines } baselines, { $out } left out.
settle-undone = Undone: the rows are as before.
settle-nothing = There is nothing to undo any more.
beside-record = { $of ->
    [0] on record, without these scores
   *[other] { $differ ->
        [no] { $n } of { $of } scores as on record
       *[other] { $n } of { $of } differ from the record, by up to { $differ }
    }
}
beside-new = no such name on record

## Many at once

queue-lead = { $n } { $n ->
    [one] submission waits
   *[other] submissions wait
}; { $clear } of them { $clear ->
    [one] raises
   *[other] raise
} no question.
queue-choose = Choose submissions first.
queue-done = { $decision ->
    [publish] { $n } accepted.
    [return] { $n } returned.
   *[refuse] { $n } rejected.
}
queue-left = { $name } was left: { $why }
queue-undone = Undone: { $n } { $n ->
    [one] submission
   *[other] submissions
}.

## What comes next

next-draft = Only you see it. Check it and submit it; a curator checks it before anything is public.
next-submitted = It waits for a curator. You can take it back until the review starts.
next-in_review = A curator is checking it. You will hear here, and can answer below.
next-returned = Please change what the reviewer asks for, and submit it again.
next-published = Its results are public. Correct one on its own page.
next-refused = It was rejected, and nothing was published. The reason is below.

row-saved = Row { $line } saved: { $outcome }.
row-added = Row added at the end.
rows-removed = { $n ->
    [one] Row removed.
   *[other] { $n } rows removed.
}
rows-in-percent = { $n ->
    [one] Row read as a percentage.
   *[other] { $n } rows read as percentages.
}
submission-sent = Thank you. It is submitted and waits for a curator.
submission-draft-again = It is a draft again.
submission-deleted = Draft deleted.

## What a reviewer should look at

where-more = { $named }{ $more ->
    [0] .
   *[other] ; and { $more } more.
}
signal-pending = Another submission in review has the same result.
signal-duplicate = { $system } has { $score ->
    [same] the same score
   *[other] the same score, as { $score },
} here already, from { $where }.
signal-contested = Other scores of this system on record: { where-more }
signal-other-measure = { $system } has { $score } under { $measure }, from { $where }. Is that the measure?
signal-unreachable = No mean of { $measure } over { $n } { $n ->
    [one] topic
   *[other] topics
} gives this; the nearest are { $below } and { $above }. Check digits, measure and topics.
signal-percent = The { $n } scores on record lie between { $low } and { $high }. Is it { $unit ->
    [given] really a percentage?
   *[none] a percentage?
}
signal-far = The { $n } scores on record lie between { $low } and { $high }. This is far outside{ $far ->
    [none] .
   *[other] , { $far } robust standard deviations from their median { $centre }.
}
signal-above = This is above everything on record here, { $best }, by more than the margin, { $margin }. Test topics in training, another protocol, an error or a better system would look alike.
signal-topics = This mean is over { $n } { $n ->
    [one] topic
   *[other] topics
}; others here are over { $usual }.
signal-by-topic = Scores of { $n } topics came with it. { $why ->
    [none] Their mean is this score; once published, they stand behind it.
    [agree] They are those on record, topic by topic.
    [contradict] { $differ } of them differ from those on record, by up to { $most }. Is it the same run?
    [mean] Their mean is another score. Check digits and topics.
    [topics] They are left out: the collection has other topics, { $of } of them.
   *[no_topics] They are left out: no topics of the collection are on record.
}
signal-copied = { $n } of its { $of } scores here are those of { $system }, to the digit. Is it the same system?
signal-moved = { $system } is on record with { $n } { $n ->
    [one] result
   *[other] results
}. Was its organisation renamed?
signal-impossible = { $says }. { $competes ->
    [no] It won’t compete until one is put right.
   *[yes] Once published, it says so.
}

## Mails

mail-returned = Please change your submission
mail-refused = Your submission was rejected
mail-published = Your submission is published
mail-undone = { $n ->
    [one] 1 result of yours was taken off the record
   *[other] { $n } results of yours were taken off the record
}
mail-waiting = To review: { $parts }

## What can't be done

only-curators = Only curators and editors can review.
only-contributor = Only its contributor can do this.
no-submission = No such submission.
rows-closed = This submission is { $state }; its rows can’t be changed now.
not-your-own = Another curator decides on your own submissions.
no-row = No row { $line } here any more.
too-many-counted = At most { $n } readings count within an hour. Continue later.
rows-refused = { $n ->
    [one] 1 row is
   *[other] { $n } rows are
} refused. Correct or remove what is refused.
all-refused = All rows are refused. Correct one first.
contributor-left = Its contributor has left. Publish or reject it.
comment-empty = The comment is empty.
no-version = No version { $version }; the current one is { $current }.
wrong-state = This submission is { $state } and can’t be { $wanted }.
changed-meanwhile = Changed in the meantime: { $changes }.
see-state = see its current state
key-malformed = An Idempotency-Key has 1 to 255 visible ASCII characters, without blanks.
key-reused = This Idempotency-Key was used for another request; take a new one for a new request.
key-in_progress = The request with this Idempotency-Key is still being answered; ask again in a moment.
is-back = Returned to its contributor.
