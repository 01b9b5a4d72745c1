### What pages of leaderboards and benchmarks say.
### $rows is the kind of row, "result" or "system"; $n and others that count are numbers, scores are text.

## The kinds of rows

rows = { $rows ->
    [system] { $n ->
        [one] system
       *[other] systems
    }
   *[result] { $n ->
        [one] result
       *[other] results
    }
}
n-rows = { $n } { rows }

## Evidence, in a line

evidence-own-topics = Judged by scores on every topic here
evidence-own-variance = Variance between { $between } measured here
evidence-own-and-predicted = Variance between { $between } measured on few runs here, and predicted
evidence-predicted = Variance between { $between } predicted, not measured here
evidence-predicted-from-siblings = Variance between { $between } predicted, by relevant documents of other years
evidence-predicted-without-density = Variance between { $between } predicted, relevant documents unknown
evidence-transferred = Variance between { $between } taken from elsewhere
evidence-none = No verdict: nothing here says how much scores vary between { $between }
evidence-measured-on = { $evidence }, on { $n_systems } { $between ->
    [collections] systems × { $n_topics } collections
   *[topics] runs × { $n_topics } topics
}
evidence-line = { $evidence }.
evidence-not-tested = { $evidence }; not yet tested on boards like this.
evidence-line-with-coverage = { $evidence }; such sets held the best in { $held } of draws.

## How often such sets held the best

boards = { $n_boards ->
    [one] 1 board
   *[other] { $n_boards } boards
}
collections = { $n_collections ->
    [one] 1 collection
   *[other] { $n_collections } collections
}
value-coverage = The ± of the value held in about 95 % of draws on average over 68 collections left out, in 76 % on the worst, and in less than 87 % on a tenth of them.
boards-of-unknown-density = { boards } whose relevant documents nobody had counted, drawn from topic scores of { collections }
boards-of-one-relevant = { boards } of reciprocal rank, drawn from real runs on { collections } left out of the prediction
boards-of-class = { boards } of { collections } left out of the prediction, with such a measure and as many relevant documents
boards-of-family = { boards } like this one, drawn from topic scores of { collections }
boards-of-size = { boards } of this size under other measures, drawn from topic scores of { collections }
suites-over-others = { $n_boards ->
    [one] 1 suite
   *[other] { $n_boards } suites
} like this one, drawn from { $n_collections ->
    [one] 1 real table
   *[other] { $n_collections } real tables
} of systems and collections
suites-over-these = { $n_boards ->
    [one] 1 suite
   *[other] { $n_boards } suites
} put together from topic scores under { $n_collections ->
    [one] 1 kind of measure
   *[other] { $n_collections } kinds of measures
}
coverage-of-class = On { $boards }, with { $world }, such sets held the best in { $mean } of draws (on the worst: { $low }).
coverage = On { $boards }, with { $world }, such sets held the best in { $mean } of draws, and in { $low } or more on { $share ->
    [most] 19 of 20 of them
   *[all] each of them
}.

## The three numbers

best = Best { $rows ->
    [system] mean
   *[result] printed
}{ among }
among = { $view ->
    [declared-none] , no training declared
    [trained-here] , training declared
   *[all] { "" }
}
best-not-held-back = Best not held back
best-beside-held-back = { $whose }; { $side } { $rows ->
    [system] mean
   *[result] printed
}: { $value }, held back
best-rerun = { $whose }{ $rows ->
    [system] { " " }(with toolkits’ runs in it)
   *[result] { " " }(a toolkit’s run)
}
leader-tied = { $named }, tied
leader-tied-with-more = { $named } and { $n } more, tied
leader-tied-pair = { $named } and { $last }, tied

value = Adjusted for luck
value-unknown = not known
value-meaning = { $kind ->
    [small] luck changes little here
    [no-middle] relevant documents not counted, so no middle
   *[named] as the highest of { $n } listed
}
value-level = { $between ->
    [collections] , for other collections like these.
   *[topics] ; { $level }, for other topics as hard on average as these.
}
value-limit = Adjusted for luck counts only the results listed: tries that nobody listed, and tuning on these topics, are not taken off.
value-limit-with-tries = Adjusted for luck takes each result for the best of { $n } tries; tuning on these topics is not taken off.
value-limit-with-ten = Adjusted for luck counts only the results listed. Tries that nobody listed, and tuning on these topics, are not taken off: with ten such tries a row, about { $value }.

set = Can’t be told from the best
set-unknown = not known
set-tells-nothing = cannot tell
set-tells-nothing-meaning = { $members } of { $n } may be the best: that tells none from another
set-size = { $members } of { $n }
set-meaning = { $members ->
    [one] the leader and no other
   *[other] the leader included
}{ $level ->
    [none] { "" }
   *[other] , at { $level } confidence
}; { $tried }
tried = { n-rows } of { $makers }
tried-effective = { n-rows } of { $makers }, worth about { $effective } with uncorrelated errors

view = { $view ->
    [declared-none] none declared
    [trained-here] declared
   *[all] all
}
question = Best { $question ->
    [other-collections] on other collections like these
   *[same-collections] on these collections
}?

## The claim: the title of a figure

where = { $where ->
    [here] here
    [other-collections] on other collections like those of { $name }
    [same-collections] on other topics for the collections of { $name }
   *[board] on { $name }
}
that = { $view ->
    [declared-none] { " " }that declare no training or need none
    [trained-here] { " " }that declare training
   *[all] { "" }
}
claim-one-result = One result so far { where }: nothing to compare it with
claim-unknown = Which of { n-rows }{ that } may be the best { where } is not known
claim-cannot-tell = Which of { $n }{ that } is the best { where } cannot be told: { $members } may be
claim-one-competes = Only one { rows } competes { where }: { $leader }
claim-alone = One of { $n }{ that } stands alone { where }: { $leader }
claim-tied = { $members } of { $n }{ that } can’t be told from the best { where }
held-back = The { $side } { $rows ->
    [system] mean
   *[result] score
} { where } is held back
others = { $view ->
    [declared-none] the { $n }{ that }
    [trained-here] the { $n }{ that }
   *[all] { $n } others
}
claim-cannot-tell-others = { held-back }; which of { others } is the best cannot be told: { $members } may be
claim-one-competes-besides = { held-back }; only one { rows } competes: { $leader }
claim-alone-among-others = { held-back }; one of { others } stands alone: { $leader }
claim-tied-among-others = { held-back }; { $members } of { others } can’t be told from the best

## The plumb line, drawn

drawn = Scores of { $n } { $rows ->
    [system] systems; the best mean is
   *[result] results; the best prints
} { $best }{ among }{ $other ->
    [none] { "" }
   *[other] , held back; the best that is not { $rows ->
        [system] has
       *[result] prints
    } { $other }
}{ $worth ->
    [none] { "" }
   *[other] , adjusted for luck { $worth }
}{ drawn-set }.
drawn-set = { $set ->
    [none] { "" }
    [means] { $members ->
        [one] , no other lies within { $margin } of it
       *[other] , { $members } lie within { $margin } of it and can’t be told from it
    }
   *[topics] { $members ->
        [one] , every other is ruled out
       *[other] , { $members } can’t be told from it
    }
}
note-best = { $held ->
    [yes] best not held back
   *[no] best { $rows ->
        [system] mean
       *[result] printed
    }
}{ among } { $value }
note-best-short = { $held ->
    [yes] best not held back
   *[no] best, { view }
} { $value }
note-held-back = { $value }, held back
note-worth = adjusted for luck: { $value }
note-beyond = { $side ->
    [left] ◂ { $n } lower
   *[right] { $n } higher ▸
}

## Equal systems

equal-means = If all { $n } had one and the same true mean of { $mean }, the best of them would reach { $best } one time in five. { $plausible ->
    [one] 1 result lies
   *[other] { $plausible } results lie
} at or { $side } { $far_end }, the far end of the range that they would cover.
scale-published = The standard error is the spread of the results divided by the square root of the number of topics, as published; it takes real differences between systems for error.
scale-residual = The standard error rests on how much scores vary between topics: the verdict’s variance, { $variance }.

## What the reader's choices do

choice-contenders = Only these may be the best: { $contenders }. The others were tried too, so they still count.
choice-traits = Systems of which nobody says this are among the others.
choice-counted = The analysis of equal systems counts only these: { $counted }.
choice-no-scale = No { $scale } standard error is known here.
choice-tries = The value adjusted for luck takes each result for the best of { $n } tries that differ by { $share } of the variance.
choice-multiplier = In the analysis of equal systems each result stands for { $n ->
    [one] 1 attempt
   *[other] { $n } attempts
}, published or not.

## Rows and columns of the table

row-behind-rival = { $behind } behind { $rival } over the same topics; more than { $margin } rules out
rival-unnamed = another
row-notes = { $n ->
    [one] note
   *[other] { $n } notes
}

column-ranks = The best and the worst rank that it may truly have among all that compete, whatever view of training is shown, each at the confidence of the verdict. A result without one does not compete; the table says why.
column-rank = Equal scores share a rank. A result without one does not compete; the table says why.
column-score = As printed; where a program printed every digit it had, the digits of the measure.
column-can_be_best = Whether it can be told from the best, at the stated confidence.
column-can_be_best-with-bar = { column-can_be_best } The bar shows how far it is behind { $rival ->
    [topics] the one that it is most clearly behind over the same topics
    [unflagged] the best not held back
   *[best] the best
}, which stands at the right end; the shaded part is the margin: what is further behind is ruled out.
column-behind = How far behind it is, and from which distance on it would be ruled out.
column-tier = Tier 1 can’t be told from the best; below it, a tier reaches down to the last not told from its best.
column-family = Results of one team, paper, model or toolkit have one number.
column-topic_z = Standardized topic by topic against { $set }, then averaged.
column-z = Distance from the mean of { $set }, in their standard deviations.
column-percentile = The share of the same reference systems that are worse, of equal ones half.
column-provenance = How the score came to be recorded: transcribed from the source, double-checked, confirmed by its author, recomputed from topic scores or from a run.
column-paper = The paper, page or repository that prints the score; papers about a system stand on its page.

## Snapshots

members-all = { $n ->
    [one] The one that stands alone
   *[other] The { $n } that can’t be told from the best
}
members-first = The first { $n } of { $members }
row = { $rows ->
    [system] system
   *[result] result
}
method-no-set = There is no set of those that may be the best: { $why }.
method-gupta-means = The set holds every { row } within { $margin } of the best: Gupta’s constant times the standard error of a difference of two means, for { n-rows }, at { $level } confidence.
method-gupta-collections = The set holds every { row } within { $margin } of the best: Gupta’s constant times the standard error of a difference over collections, for { n-rows }, at { $level } confidence.
method-set = The set is found by { $method } for { n-rows }, at { $level } confidence.
method-luck = The best is drawn towards the mean of all { $rows ->
    [system] systems
   *[result] results
}, each of { $makers } counting once, by the share of their spread that luck explains.
board = { $rows ->
    [system] suite
   *[result] leaderboard
}
snapshot-stands = It is what <a href="{ $url }">the { board }</a> shows today.
snapshot-passed = <a href="{ $url }">The { board }</a> has changed since.

## How the analysis stands to the results

state-current = The analysis covers { $rows ->
    [system] the standing verdict of every member
   *[result] every result recorded here
}.
state-stale = Results or methods changed since this analysis; it is being made again.
state-queued = This { board } has not been analysed yet; it is about to be.
state-obstacle = No analysis: { $why }.
state-waits = No analysis: a mean over { $n_members } collections takes the verdict on each under { $measure }, and { $n ->
    [one] { $first } has none
   *[other] { $n } of these, { $first } first, have none
}. It follows once comparable results are recorded there and analysed.
past-nothing = The registry knew none of these results on that day.
past-as-known = The results as the registry knew them on that day, with their analysis.
past-made-anew = No analysis from then can be read: this one takes the topics, variances, reference systems and suites of today.
past-published-by = Only results that were published by { $day }, analysed by themselves.
past-undated = { $n ->
    [one] 1 result is left out because its
   *[other] { $n } results are left out because their
} year is not known.

## Benchmarks: other rules than the mean, and what declared training goes with

who = { $n_winners ->
    [one] { $names }
   *[other] { $names }, tied
}
rule-leads = By { $rule } { $n_winners ->
    [one] { $names } leads
   *[other] { $names } lead, tied
}. Drawn again, the members name the same winner in { $wins } of 100, two halves of them in { $halves }. Teal is judged by the mean.
rules-again = Drawn again, these { $n_members } members name the same winner by the mean in { $wins } of 100.
rules-agree = Every rule here names { who }.
rules-agree-again = { rules-agree } { rules-again }
rules-differ = By { $rules } { who }{ $n_winners ->
    [one] { " " }leads
   *[other] , lead
}; { $others }. { $duels } { rules-again }
rules-other = by { $rules } { who }
duels-won = { $name } beats every other on more members than it loses.
duels-undecided = No system beats every other on more members than it loses.
rules-of-all = Of all { $n } systems, whatever is said of their training: { $sentence }
uplift = Where systems declare training on a collection, they score about { $size } { $side } there than their other scores suggest (standard error { $standard_error }, { $n_systems } systems of { $n_families } families).
uplift-known = (90 %: { $low } to { $high })
uplift-unclear = How systems that declare training on { $name } score there can’t be told from what their other scores suggest { uplift-known }.
uplift-of-member = Systems that declare training on { $name } score { $size ->
    [less] less than 0.01
   *[other] about { $amount }
} { $side } there than their other scores suggest { uplift-known }.

## What five runs would add

runs-tell = Five runs drawn at random from a pool of TREC runs told the variance of that pool within a factor of { $factor } in { $share } of draws. Runs of one maker or toolkit are more alike, and tend to tell too small a variance.
runs-would-tell = Five runs of three makers or more, with scores by topic, would tell how much scores vary on this collection, and so which results can’t be told from the best. { runs-tell }
runs-would-add = Five runs of three makers or more, with scores by topic, would put this collection’s own variance beside the predicted one. { runs-tell } What they would say can’t be known before. If the variance turned out half of what is supposed, and no surer, the margin would go from { $now } to { $smaller }{ $capped ->
    [yes] { "" }
   *[no] ; if twice, to { $larger }
}.

## In two short lines

short-score = { $rows ->
    [system] mean
   *[result] printed
} { $best }{ $other ->
    [none] { "" }
   *[other] , held back; best that is not { $other }
}{ $worth ->
    [none] { "" }
   *[other] , adjusted for luck { $worth }
}
reach-of-one = one result, nothing to compare it with
reach-unknown = not known which could be the best
reach = { $members } of { $n } { $held ->
    [yes] not held back can’t be told apart
   *[no] can’t be told from the best
}
reach-verified = lead verified: every other is ruled out
reach-alone = { $held ->
    [yes] every other not held back is ruled out
   *[no] every other is ruled out
}

## Files

first-rows = The first { $n } of { $count } { $rows ->
    [system] systems
   *[result] results
}.
nothing-to-cite = This { board } has no verdict that could be cited.
citation-title = { $title }: the best { $rows ->
    [system] mean
   *[result] published result
}, and what it is worth

## Where one result stands

place-standing = { $standing ->
    [best] the best on record
    [held] held back
    [may] can’t be told from the best
   *[out] ruled out as the best
}
place-percentile = { $z ->
    [none] { "" }
   *[other] z { $z },{ " " }
}percentile { $percentile } among { $set }
beyond = { $side ->
    [better] { $gain } better than
    [worse] { $gain } worse than
   *[none] no better than
}
told-by-means = { $told ->
    [yes] , told apart by means
    [no] , not told apart by means
   *[unknown] { "" }
}
place-beyond-baseline = { beyond } its baseline{ told-by-means }
place-weak-baseline = a weak baseline: percentile { $percentile }
place-baseline = { $system }; this is { beyond } it{ told-by-means }{ $percentile ->
    [none] { "" }
   *[other] ; percentile { $percentile }
}
place-rank = by the printed score; equal scores share one
place-ranks = by the printed score; in truth anything from { $low } to { $high }
place-worse = per cent that are worse, ties counted half, of { $set }
with-training = { $view ->
    [declared-none] { " " }with no training declared
    [trained-here] { " " }with training declared
   *[all] { "" }
}
place-not-asked = not asked: the verdict is on results{ with-training }
place-held-back = held back: its leaderboard says why
place-leads = nothing on record{ with-training }{ $held ->
    [yes] { $view ->
        [all] { " " }not held back
       *[other] { " " }and not held back
    }
   *[no] { "" }
} is better
place-behind = { $behind } behind{ $named ->
    [yes] { " " }{ $rival }
   *[no] { "" }
}; ruled out from { $margin } on

## One result, cited

cited-result = { $system }{ $paper }: { $measure } { $score } on { $collection }, rank { $rank } of { n-rows }{ $doubt } (Plumbline, snapshot { $snapshot }, { $day }).
cited-ranks = { " " }(truly anything from { $low } to { $high }, each end at { $level } confidence)
cited-value = , adjusted for luck { $value }
cited-held-back = , held back from being the best
cited-best = { $n ->
    [0] , and all others are ruled out
    [one] , and 1 other can’t be told from it
   *[other] , and { $n } others can’t be told from it
}
cited-member = , not told from the best
cited-below = , ruled out as the best
