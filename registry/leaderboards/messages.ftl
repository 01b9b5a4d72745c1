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
evidence-line-with-coverage = { $evidence }; such sets held the best in { $held } of simulations.

## How often such sets held the best

boards = { $n_boards ->
    [one] 1 board
   *[other] { $n_boards } boards
}
collections = { $n_collections ->
    [one] 1 collection
   *[other] { $n_collections } collections
}
value-coverage = On 68 collections left out, the ± of the value held in about 95% of simulations. On a tenth of them it held in less than 87%, on the worst in 76%.
boards-of-unknown-density = { boards } whose relevant documents nobody had counted, drawn from topic scores of { collections }
boards-of-one-relevant = { boards } of reciprocal rank, drawn from real runs on { collections } left out of the prediction
boards-of-class = { boards } of { collections } left out of the prediction, with such a measure and as many relevant documents
boards-of-family = { boards } like this one, drawn from topic scores of { collections }
boards-of-size = { boards } of this size under other measures, drawn from topic scores of { collections }
suites-over-others = { $n_boards ->
    [one] 1 suite
   *[other] { $n_boards } suites
} { $tasks ->
    [yes] of this size, though not of tasks,
   *[no] like this one,
} drawn from { $n_collections ->
    [one] 1 real table
   *[other] { $n_collections } real tables
} of systems and collections
coverage-of-class = Tried on { $boards }, with { $world }. Such sets held the best in { $mean } of simulations (on the worst board: { $low }).
coverage = Tried on { $boards }, with { $world }. Such sets held the best in { $mean } of simulations; in { $low } or more on { $share ->
    [most] 19 of 20 boards
   *[all] each board
}.

## The headline

contenders = { $who ->
    [zero-shot] { $n } zero-shot { rows }
    [trained] { $n } { rows } trained on it
    [everyone] all { $n } { rows }
    [proposed] { $n } proposed { rows }
    [baseline] { $n ->
        [one] { $n } baseline
       *[other] { $n } baselines
    }
    [trec_run] { $n ->
        [one] { $n } TREC run
       *[other] { $n } TREC runs
    }
    [reference_implementation] { $n ->
        [one] { $n } reference run
       *[other] { $n } reference runs
    }
    [chosen] { $n } chosen { rows }
   *[plain] { n-rows }
}
data-sets = { $n ->
    [one] { $n } data set
   *[other] { $n } data sets
}{ $n_tasks ->
    [0] { "" }
    [one] {" "}of one task
   *[other] {" "}of { $n_tasks } tasks
}
tie-for-first = { $cited ->
    [yes] are statistically tied for first{ $level }
   *[no] tie for first
}
whatever = { $undisclosed ->
    [0] { $who ->
        [everyone] , whatever their training
       *[other] { "" }
    }
   *[other] ; training is undisclosed for { $undisclosed }
}
share-the-top = { $tied ->
    [1] { "" }
   *[other] { $tied } share the top score, { $score };{ " " }
}
headline-tied = On { $place }, { share-the-top }{ $members } of { contenders } { tie-for-first }{ whatever }
headline-alone = On { $place }, { $leader }{ $rerun ->
    [yes] , a reference run,
   *[no] { "" }
} leads alone{ $level } among { contenders }{ whatever }
headline-close = On { $place }, { share-the-top }{ $members ->
    [all] { $who ->
        [everyone] { contenders }
       *[other] all { contenders }
    }
   *[other] { $members } of { contenders }
} { tie-for-first }: too close to rank
headline-one = On { $place }, one { $who ->
    [zero-shot] zero-shot { rows }
    [trained] { rows } trained on it
    [proposed] proposed { rows }
    [baseline] baseline
    [trec_run] TREC run
    [reference_implementation] reference run
    [chosen] chosen { rows }
   *[other] { rows }
} so far: nothing to compare it with
headline-few = On { $place }, { contenders } from { $groups ->
    [1] one group
   *[other] { $groups } groups
} { $n ->
    [one] is
   *[other] are
} too few to call a winner
headline-groups = On { $place }, { $who ->
    [everyone] { contenders }
   *[other] all { contenders }
} are from { $groups ->
    [1] one group
   *[other] { $groups } groups
}: no ranking
headline-topics = On { $place }, { $n_topics } topics are too few to rank { contenders }
headline-few-members = On { $place }, { $n_tasks ->
    [0] { $n_topics } data sets are
    [one] one task is
   *[other] { $n_tasks } tasks are
} too few to rank { contenders }
headline-unknown = On { $place }, scores by topic are needed to rank { $who ->
    [plain] these { contenders }
   *[other] { contenders }
}
headline-alike = On { $place }, scores by topic do not tell { contenders } apart: no ranking
headline-mean = On { $place }, { $leader } has the { best-score }; { could-lead }
could-lead = { $members ->
    [1] no other system stays in the running on new collections{ $level }
   *[other] { $members } of { contenders } could lead on new collections{ $level }
}
headline-mean-and-zero-shot = On { $place }, { $leader } has the { best-score }{ $trained_on ->
    [0] , training undisclosed
   *[other] , trained on { $trained_on } of { $n_members }
}; { $zero_shot } has the best zero-shot mean{ $cited ->
    [yes] ; { could-lead }
   *[no] { "" }
}
best-score = { $best ->
    [everyone-mean] best mean
    [ranked-everyone-mean] best ranked mean
    [zero-shot-mean] best zero-shot mean
    [ranked-zero-shot-mean] best ranked zero-shot mean
    [trained-mean] best mean trained on some of it
    [ranked-trained-mean] best ranked mean trained on some of it
    [ranked-everyone] best ranked score
    [zero-shot] best zero-shot score
    [ranked-zero-shot] best ranked zero-shot score
    [trained] best score trained on it
    [ranked-trained] best ranked score trained on it
    [chosen] best chosen score
   *[everyone] best reported score
}
best-label = { $best ->
    [everyone-mean] Best mean
    [ranked-everyone-mean] Best ranked mean
    [zero-shot-mean] Best zero-shot mean
    [ranked-zero-shot-mean] Best ranked zero-shot mean
    [trained-mean] Best mean, trained on some
    [ranked-trained-mean] Best ranked mean, trained on some
    [ranked-everyone] Best ranked
    [zero-shot] Best zero-shot
    [ranked-zero-shot] Best ranked zero-shot
    [trained] Best trained on it
    [ranked-trained] Best ranked, trained on it
    [chosen] Best of these
   *[everyone] Best reported
}
headline-leader = { $leader } { $named ->
    [yes] scores
   *[no] { $tied ->
        [1] has
       *[other] shares
    } the { best-score },
} { $score }{ $adjusted ->
    [value] { " " }({ $value } adjusted for luck)
    [no-middle] { " " }(adjusted for luck: { $value })
   *[none] { "" }
}.
headline-excluded = ; { $highest }, { $highest_score }, is excluded: needs evidence
headline-unusual = ; the leader’s score is unusually { $side } for it
headline-conflict = ; the leader’s score conflicts with another leaderboard
headline-rerun = , led by a reference run
headline-also-rerun = a reference run leads
headline-group = , all from one group
headline-also-group = all are from one group

## The three numbers

among = { $view ->
    [declared-none] , zero-shot
    [trained-here] , trained on it
   *[all] { "" }
}
best-rerun = { $whose }{ $rows ->
    [system] { " " }(with reference runs in it)
   *[result] , reference run
}
leader-tied = { $named }, tied
leader-tied-with-more = { $named } and { $n } more, tied
leader-tied-pair = { $named } and { $last }, tied

value = Adjusted for luck
value-needs = { $why }
value-meaning = { $kind ->
    [small] luck changes little here
    [no-middle] relevant documents not counted, so no middle
   *[named] as the best of { $n } listed
}{ $level }
value-limit = Adjusted for luck counts only the { $rows ->
    [system] systems
   *[result] results
} listed: tries that nobody listed, and tuning on these { $rows ->
    [system] collections
   *[result] topics
}, are not taken off.
level-weekly = for looking every week
value-limit-with-tries = Adjusted for luck takes each result for the best of { $n } tries{ $whose ->
    [own] , as the source of the highest says of that one
   *[all] { "" }
}; tuning on these topics is not taken off.
value-limit-with-ten = Adjusted for luck counts only the results listed. Tries that nobody listed, and tuning on these topics, are not taken off: with ten such tries a row, about { $value }.

set = { $rows ->
    [system] Could lead elsewhere
   *[result] Tied for first
}
of-all = of { $n }
set-meaning = { $rows ->
    [system] on new collections
   *[result] { $members ->
        [1] significantly better than every other
       *[other] not significantly different
    }
}{ $level }
set-means = { $rows ->
    [system] Could lead: may have the best mean over new collections. The level holds for the set as a whole, about.
   *[result] Tied for first: by this evidence not significantly below any other; not that they are equally good.
}
lead = Lead over the next
lead-meaning = { $significant ->
    [yes] significant
   *[no] not significant
}: { $needed } needed (95%)

view = { $view ->
    [declared-none] Zero-shot
    [trained-here] { $rows ->
        [system] Trained on some
       *[result] Trained on it
    }
    [undisclosed] Undisclosed
    [proposed] Proposed
    [baseline] Baselines
    [trec_run] TREC runs
    [reference_implementation] Reference runs
    [leaderboard] Leaderboard results
   *[all] All
}
question = Best on other collections like these?

## The plumb line, drawn

note-best = { best-label } { $value }
note-tied = { $n ->
    [1] leads alone
   *[other] { $rows ->
        [system] { $n } could lead
       *[result] { $n } tied for first
    }
}
note-within = within { $margin } of the best
note-lower = { $n } significantly lower
note-highest = { $form ->
    [short] { "" }
   *[long] highest not ranked:{ " " }
}{ $name } { $value }
lane = { $n } { $why ->
    [excluded] excluded: { $n ->
        [one] needs
       *[other] need
    } evidence
    [trained] trained on { $rows ->
        [system] at least one
       *[result] it
    }
    [undisclosed] undisclosed
    [zero-shot] zero-shot
    [elsewhere] not comparable
    [failed] failed { $n ->
        [one] run
       *[other] runs
    }
   *[others] others
}{ $form ->
    [short] { "" }
   *[long] { " " }· not ranked here
}
dot = { $score }{ $ranks ->
    [none] { "" }
   *[other] { " " }· rank { $ranks }
} · { $why ->
    [may] tied for first
    [out] significantly lower
    [open] not ranked
    [excluded] excluded: needs evidence
    [trained] trained on it
    [undisclosed] training undisclosed
    [zero-shot] zero-shot
    [elsewhere] not comparable
    [failed] failed run
   *[others] not among those chosen
}
show-others = Show the other { $n ->
    [one] { "" }
   *[other] { $n }{ " " }
}{ $kind ->
    [declared-none] zero-shot { rows }
    [trained-here] { rows } trained on it
   *[all] { rows }
}
and-lower = { $score } and { $side ->
    [low] higher
   *[high] lower
}
below-line = Below this line: significantly lower than the best.
not-ranked = { $n_reasons ->
    [one] { $reasons }, not ranked here
   *[other] { $n } not ranked here: { $reasons }
}
aside-highest = highest: { $name }, { $value }
against = Against the best
against-best = { $behind ->
    [none] –
   *[other] −{ $behind }, { $significant ->
        [yes] significant
       *[no] not significant
    }
}
pair = { $behind }: { $significant ->
    [yes] significant ({ $needed } needed)
   *[no] not significant
}
note-worth = adjusted for luck { $value }
note-beyond = { $side ->
    [left] ◂ { $n } more
   *[right] { $n } more ▸
}

figure-caption = { $pairs ->
    [0] One dot, one { row }: point or tap for its name. Open dots: reference runs.
   *[other] Differences between pairs, at 95%. Point or tap a dot for its name; open dots are reference runs.
}

## Equal systems

equal-means = If all { $n } had the same true mean, { $mean }, the best would reach { $best } one time in five. { $plausible ->
    [one] 1 result lies
   *[other] { $plausible } results lie
} at or { $side } { $far_end }, the far end of the range that they would cover.
scale-published = The standard error is the spread of the results divided by the square root of the number of topics, as published. It counts real differences between systems as error.
scale-residual = The standard error rests on how much scores vary between topics: the verdict’s variance, { $variance }.

## What the reader's choices do

choice-contenders = Ranked: { $contenders }. The others were tried too, so they still count.
choice-traits = Systems of which nobody says this are among the others.
choice-counted = The analysis of equal systems counts only these: { $counted }.
choice-no-scale = No { $scale } standard error is known here.
choice-tries = The value adjusted for luck takes each result for the best of { $n } tries that differ by { $share } of the variance.
choice-looks = { $has ->
    [yes] The set is as wide as for looking every week: its margin is that of twice as many results.
   *[no] The set comes from topic scores, which know no margin for looking every week: it is the same.
}
choice-multiplier = In Carterette’s analysis each result counts as { $n ->
    [one] 1 attempt
   *[other] { $n } attempts
}, published or not.

## Rows and columns of the table

row-behind-rival = { $behind } behind { $rival } on the same topics; significant from { $margin }
rival-unnamed = another
row-tries = best of { $n } tries
row-notes = { $n ->
    [one] note
   *[other] { $n } notes
}

column-ranks = The best and the worst rank that it may have among those ranked (90%, one row at a time). A result without one is not ranked; the table says why.
column-rank = Equal scores share a rank. A result without one does not compete; the table says why.
column-score = As reported; where a program wrote every digit it had, the digits of the measure.
column-can_be_best = Tied for first: not significantly different from the best (95%).
column-can_be_best-with-bar = { column-can_be_best } The bar shows how far it is behind { $rival ->
    [topics] the one that it is most clearly behind over the same topics
    [unflagged] the best that is not excluded
   *[best] the best
}, which is at the right end. Shaded: the margin. What is further behind is significantly lower.
column-behind = How far behind the best it is.
column-tier = Tier 1 is tied for first. Each lower tier ties with its own best.
column-family = Results of one team, paper, model or toolkit have one number.
column-topic_z = Standardized topic by topic against { $set }, then averaged.
column-z = Distance from the mean of { $set }, in their standard deviations.
column-percentile = The share of the same reference systems that are worse, of equal ones half.
column-provenance = How the score came to be recorded: transcribed from the source, double-checked, confirmed by its author, recomputed from topic scores or from a run.
column-paper = The paper, page or repository that reports the score. A system’s page lists papers about it.

## Flags and notes

caution-title = { $code ->
    [stands-apart] Apart from all others
    [outlier-elsewhere] Unusual score, needs evidence
    [unusual-elsewhere] Unusual score
    [follows-flag] Unusual score
    [flagged-on-member] Excluded on a data set
    [contradicts-linked] Conflicts with another leaderboard
    [self-reported] Self-reported, not reproduced
    [holds-test] Its maker holds this test
    [failed-runs] Failed runs
    [constant-runs] Constant runs
    [few-topics] Few topics
    [unknown-topics] Number of topics unknown
    [not-a-topic-mean] Not a mean over topics
    [other-pool] Not among the judged runs
    [unjudged] Many documents not judged
    [judged-again] Judged again elsewhere
    [one-team-variance] Variance of few makers
   *[other] Note
}

## Snapshots

members-all = { $n ->
    [one] It leads alone
   *[other] The { $n } tied for first
}
members-first = The first { $n } of { $members }
row = { $rows ->
    [system] system
   *[result] result
}
method-no-set = No ranking: { $why }.
method-gupta-means = Every { row } within { $margin } of the best is in the set ({ $level } confidence). The margin is Gupta’s constant for { n-rows } times the standard error of a difference of two means.
method-gupta-collections = Every { row } within { $margin } of the best is in the set ({ $level } confidence). The margin is Gupta’s constant for { n-rows } times the standard error of a difference over collections.
method-set = The set is found by { $method } for { n-rows }, at { $level } confidence.
method-luck = The best is drawn towards the mean of all { $rows ->
    [system] systems
   *[result] results
}, each of { $groups ->
    [one] one group
   *[other] { $groups } groups
} counting once, by the share of their spread that luck explains.
board = { $rows ->
    [system] suite
   *[result] leaderboard
}
snapshot-stands = It is what <a href="{ $url }">the { board }</a> shows today.
snapshot-passed = <a href="{ $url }">The { board }</a> has changed since.
snapshot-since = Today: { $sentence } { $n_then } { $rows }s competed then, { $n_now } today.

## How the analysis stands to the results

state-current = The analysis covers { $rows ->
    [system] the current verdict on every data set
   *[result] every result recorded here
}.
state-stale = Results or methods changed since this analysis; it is being made again.
state-queued = This { board } has not been analysed yet; it is about to be.
state-obstacle = No analysis: { $why }.
state-waits = No analysis: a mean over { $n_members } collections takes the verdict on each under { $measure }.
state-waits-unseen = Nobody has a result on { $names }.
state-waits-doubtful = { $names } { $n ->
    [one] has
   *[other] have
} none, since too many scores there are doubtful.
state-waits-waiting = { $names } { $n ->
    [one] has
   *[other] have
} none yet.
state-nearest = No analysis: no system has a score on every member. { $n ->
    [one] { $system } comes nearest, with { $n_known } of { $n_members }, and lacks
   *[other] { $n } systems come nearest, with { $n_known } of { $n_members }, and lack
} { $names }.
revisions-mixed = { $n_rows } of these scores name the revision of the data set that they were computed on: { $n } revisions, { $most } scores on one. Whether those differ in content is not known; scores are ranked all the same.
evaluators-mixed = They were computed by { $n } versions of evaluators, { $first } to { $last }.
printed-mean-known = { $why }
printed-mean-lacks = no mean here: { $n } of { $n_members } scores missing
printed-mean-apart = on { $name }, { $printer } reports { $other }; { $ours } counts here
printed-mean-unknown = not known
past-nothing = The registry knew none of these results on that day.
past-as-known = The results as the registry knew them on that day, with their analysis.
past-made-anew = No analysis from then can be read: this one takes the topics, variances, reference systems and suites of today.
past-published-by = Only results that were published by { $day }, analysed by themselves.
past-undated = { $n ->
    [one] 1 result is left out because its
   *[other] { $n } results are left out because their
} year is not known.

## Benchmarks: other rules than the mean, and what declared training goes with

rule-leads = By { $rule } { $n_winners ->
    [one] { $names } leads
   *[other] { $names } lead, tied
}. It does so again in { $wins }% of resamplings of the data sets, and both of two halves agree in { $halves }%. Teal follows the mean.
rules = { $n ->
    [0] Of
   *[other] For all { $n } systems, whatever their training: of
} { $n_rules } ways of averaging, { $n_same ->
    [one] one puts
   *[other] { $n_same } put
} { $names } first. The mean does so in { $wins }% of resamplings of the { $n_members } { $unit }.
uplift = Systems trained on a collection score about { $size } { $side } there than their other scores predict (standard error { $standard_error }; { $n_systems } systems of { $n_families } groups).
uplift-known = (90%: { $low } to { $high })
uplift-unclear = On { $name }, systems trained on it score about as their other scores predict { uplift-known }.
uplift-of-member = On { $name }, systems trained on it score { $size ->
    [less] less than 0.01
   *[other] about { $amount }
} { $side } than their other scores predict { uplift-known }.

## What five runs would add

runs-tell = Five random runs of a TREC pool gave its variance within a factor of { $factor } in { $share } of simulations. Runs of one maker or toolkit are more alike and give too small a variance.
runs-would-tell = Scores by topic of five runs, from three makers or more, would measure how much scores vary here, and so which results tie for first. { runs-tell }
runs-would-add = Scores by topic of five runs, from three makers or more, would measure the variance that is now predicted. { runs-tell } If it turned out half as large, the margin would go from { $now } to { $smaller }{ $capped ->
    [yes] { "" }
   *[no] ; if twice, to { $larger }
}.

## In two short lines

short-score = { best-label } { $value }{ $adjusted ->
    [none] { "" }
   *[other] , adjusted for luck { $adjusted }
}

## Files

first-rows = The first { $n } of { $count } { $rows ->
    [system] systems
   *[result] results
}.
bold = Bold: { $rows ->
    [system] could lead on new collections.
   *[result] tied for first.
}
ranks-are = Rank ranges hold at 90%, one row at a time.
cite-text = { $quote } Plumbline, { $day }{ $snapshot ->
    [none] , { $address }
   *[other] , snapshot { $snapshot }
}.
nothing-to-cite = This { board } has no verdict that could be cited.
citation-title = { $title }: results of { $day }
chosen-are = Chosen: { $chosen }.

## Where one result stands

place-standing = { $standing ->
    [best] the best on record
    [leads] { place-leads }
    [held] excluded: needs evidence
    [aside] { place-aside }
    [may] tied for first{ among-view }
   *[out] significantly below the best{ among-view }
}
among-view = { $view ->
    [all] { "" }
   *[other] { " " }among { results-of-view }
}
place-claim = On { $collection } ({ $measure }), { $system }’s { $score } { $standing ->
    [unknown] has rank { $rank } of { $n }
    [aside] is number { $rank } of { $n } by score; it is not ranked here
   *[known] is { place-standing }
}.
place-mark = { $whose ->
    [own] this result
   *[other] another source
} { $score }
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
    [yes] , significant by means
    [no] , not significant by means
   *[unknown] { "" }
}
place-beyond-baseline = { beyond } its baseline{ told-by-means }
place-weak-baseline = a weak baseline: percentile { $percentile }
place-baseline = { $system }; this is { beyond } it{ told-by-means }{ $percentile ->
    [none] { "" }
   *[other] ; percentile { $percentile }
}
place-rank = by score{ among-view }; equal scores share one
place-ranks = by score{ among-view }; rank range { $low }–{ $high } (90%)
place-aside = by score; not ranked here
place-worse = percent that are worse, ties counted half, of { $set }
results-of-view = { $view ->
    [declared-none] zero-shot results
    [trained-here] results trained on it
   *[all] all results
}
place-not-asked = the verdict is on { results-of-view } only
place-held-back = excluded: its leaderboard says why
place-leads = the best of { results-of-view }{ $held ->
    [yes] { " " }that are not excluded
   *[no] { "" }
}
place-behind = { $behind } behind{ $named ->
    [yes] { " " }{ $rival }
   *[no] { "" }
}; significant from { $margin }

## One result, cited

cited-result = { $system }{ $paper }: { $measure } { $score } on { $collection }, rank { $rank } of { $view ->
    [all] { n-rows }
   *[other] { $n } { results-of-view }
}{ $doubt } (Plumbline, snapshot { $snapshot }, { $day }).
cited-ranks = { " " }(range { $low }–{ $high }: 90%, one row at a time)
cited-value = , adjusted for luck { $value }
cited-held-back = . It is excluded: needs evidence
cited-best = { $n ->
    [0] . It leads alone{ among-view }
    [one] . It is tied with 1 other{ among-view }
   *[other] . It is tied with { $n } others{ among-view }
}
cited-member = . It is statistically tied for first{ among-view }
cited-below = . It is significantly below the best{ among-view }

## Over the years

papers-gain = { $side ->
    [loss] papers fall short of their baselines by { $added } in all
   *[gain] papers claim { $added } in all
}
steps-up = { $n ->
    [one] the best dates from { $first }
    [two] the best rose once
   *[other] the best rose { $steps ->
        [2] twice
       *[other] { $steps } times
    }
}
over-years = Over the years: { $added ->
    [none] { steps-up }
   *[known] { papers-gain }, { $risen ->
        [none] { steps-up }
        [no] the best did not rise
       *[other] the best rose by { $risen }
    }
}
years-claim = { $outcome ->
    [none] On { $board }, no later result beats { $first } of { $since }.
    [unknown] On { $board }, the record went from { $first } ({ $since }) to { $last } ({ $until }).
    [ends] On { $board }, the record went from { $first } ({ $since }) to { $last } ({ $until }); luck alone could reach { $luck }, the end of the measure.
   *[risen] On { $board }, the record went from { $first } ({ $since }) to { $last } ({ $until }); luck alone would give up to { $luck } (95%).
}
years-record = Record
years-record-meaning = { $measure }, { $year }{ $adjusted ->
    [none] {""}
   *[other] ; adjusted for luck { $adjusted }
}
years-luck = Luck alone
years-luck-meaning = { $n ->
    [none] needs { $least } results with a year, and how much scores vary
   *[other] best of { $n }, all as good as { $first } (95%){ $ends ->
        [yes] : the end of the measure
       *[no] { "" }
    }
}
years-significant = Significant records
years-significant-beside = of { $n }
years-significant-meaning = { $needed ->
    [none] how much scores vary is not known
   *[other] over the one before ({ $needed } needed)
}
over-years-luck = { $n ->
    [one] If the later system is no better than the first best, the best
   *[other] If none of the { $n } later systems is better than the first best, the best
} { $ends ->
    [yes] may still reach { $luck }, the end of the measure: no later score here can be beyond luck.
   *[no] stays within { $luck } in 95% of cases.
} Tries that nobody reported would widen that.
over-years-steps = { $n ->
    [one] The one step is { $significant ->
        [0] not significant
       *[other] significant
    } over the best before (95%, an average pair).
   *[other] { $significant } of { $n } steps are significant over the best before (95%, an average pair, Holm).
}
over-years-elsewhere = { $n ->
    [one] One result stands in the year of its paper or model: when it was reported is not known.
   *[other] { $n } results stand in the year of their paper or model: when they were reported is not known.
}
over-years-papers = { $n ->
    [one] One paper has a baseline and a score of its own here; a loss is taken off.
   *[other] { $n } papers have a baseline and a score of their own here; losses are taken off.
}
over-years-unknown = Nothing is recorded from before them, so how far the best rose is not known.
over-years-known = The best rose from the best before them to the best up to the last of them.
over-years-undated = { $n ->
    [one] One result without a year is left out.
   *[other] { $n } results without a year are left out.
}
over-years-older = { $n ->
    [one] One result is dated before the collection ({ $year }) and stands there, as a model’s checkpoint may be.
   *[other] { $n } results are dated before the collection ({ $year }) and stand there, as a model’s checkpoint may be.
}
over-years-flagged = { $n ->
    [one] One flagged result raises no best; a gain claimed with it counts.
   *[other] { $n } flagged results raise no best; gains claimed with them count.
}
over-years-beyond = { $n ->
    [one] One much lower result is not drawn.
   *[other] { $n } much lower results are not drawn.
}

## Benchmarks

suite-no-view = { $name } has no systems in this view. Leave out “training” to see the others.
suite-first-recorded = Of several results of a system on a data set, the one recorded first counts; of executions, their mean.
suite-rank-meaning = Its rank by the mean in 90% of resamplings of the data sets. Who could lead on new collections is tested apart
suite-rank-new = On a new collection like these: { $low }–{ $high }
suite-new-meaning = Could have the best mean on new collections like these (90%)
suite-these-meaning = Not significantly different from the best on these (95%)

## What may be asked of a leaderboard, of a file, of the list of collections

choose-role = Rank only results of this role. All still count as tried.
choose-run-type = Rank only automatic or only manual runs. All still count as tried.
choose-provenance = Rank only results that were recorded like this. All still count as tried.
choose-training = Rank zero-shot systems, systems trained on the collection, or all. Zero-shot is the default where the benchmark is meant zero-shot and half of the systems are.
choose-weights = Rank only systems known to have open, or closed, weights. All still count as tried.
choose-size = Rank only systems known to have at most so many parameters. All still count as tried.
choose-maker = Rank only systems of this maker. All still count as tried.
choose-since = Rank only results of this year or later. All still count as tried.
choose-counted-roles = Roles that Carterette’s analysis counts, with commas between. Default: all.
choose-n-multiplier = Attempts, published or not, behind each result. Default: 1.
choose-tries = Tries behind each result, of which it is the best. Default: 1.
choose-tries-differ = Share of the residual variance by which tries of one result differ. Default: 0.2.
choose-looks = How often you look at the leaderboard while results are added: weekly widens the margin.
choose-scale = Where the standard error of Carterette’s analysis comes from. Default: published.
choose-as-of = The leaderboard as we knew it at the end of this day.
choose-published-by = Only what was published by the end of this day, or of the year where no day is known.
choose-sort = The order of the results. Default: rank. A minus in front reverses it.
choose-top = Only so many results, from the top of the table.
choose-q = Only results with all of these words in system, team, paper or source.
choose-columns = Columns to show, beside ranks, systems and scores.
choose-rows = Results on a page.
choose-collections-domain = Only collections of this domain.
choose-collections-judge = Who judged what is relevant.
choose-collections-results = none: collections without results.
choose-collections-resolves = Only collections on which two systems that differ by this much differ significantly, in one planned test.
choose-collections-measure = Under this measure. Default: the one with the most results.
choose-collections-sort = The order of the list. A minus in front reverses it.

## Benchmarks: what the folds add

rules-meaning = Wins again: how often the winner wins in 400 resamplings of the data sets. Halves agree: how often two random halves name the same winner. Duels: rivals beaten on more data sets than lost to. The worst rank is for reading, not for ranking.
uplift-limits = This compares systems that disclose their training. It changes no score here, and says nothing about systems whose training is undisclosed.
