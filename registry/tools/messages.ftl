### What the tools say: check, review, compare. Scores and differences are text, counts are numbers.

## Check a score: the answer

higher = { $side ->
    [lower] lower
   *[higher] higher
}
field = { $field ->
    [runs] TREC runs
    [baselines] baselines of papers since { $since }
   *[reference] reference runs
}
in-view = { $view ->
    [declared-none] { " " }zero-shot
    [trained-here] { " " }trained-on-it
   *[all] { "" }
}
n-others = { $n ->
    [one] 1 other
   *[other] { $n } others
}
best-in-view = best{ in-view } score{ $excluded ->
    [0] { "" }
   *[other] { " " }that is not excluded
}

check-failed = A score of exactly 0 counts as a failed run. { $board } shows it and leaves it out of every analysis.
check-headline = { $place ->
    [unknown] { $score } can’t be ranked on { $board }: { $why }
    [below] { $score } is not tied for first on { $board }
    [tied] { $score } is tied for first on { $board }
    [equals] { $score } equals the best on { $board } and is tied with { n-others }
    [ahead] { $score } is { higher } than the best on { $board } and tied with { n-others }
   *[alone] { $score } would lead alone on { $board }
}{ $odd ->
    [yes] , and would be excluded: needs evidence
   *[no] { "" }
}{ $weak ->
    [yes] , and its baseline is weak
   *[no] { "" }
}.
check-baseline-headline = { $weak ->
    [yes] Weak baseline
   *[no] Not a weak baseline
}: { $n_better } of { $n } { field } score { higher }{ $same ->
    [none] { "" }
   *[other] ; { $score } is { $same }
}.
check-baseline-unknown = Too few reference runs on { $board } to call { $score } weak or strong.
of-toolkit = { $toolkit }’s { $model }

## Check a score: what it rests on

check-better = { $n_better } of { $n } reported scores { $n_better ->
    [one] is
   *[other] are
} { higher }.
check-distance = It is { $behind } { $side ->
    [lower] above
   *[higher] below
} the { best-in-view } ({ $best }); a tie needs { $margin } or less.
check-tied = { $n ->
    [0] No other score is
    [one] 1 other score is
   *[other] { $n } other scores are
} within { $margin } of it: { $n ->
    [0] significantly ahead (95%).
   *[other] statistically tied (95%).
}
check-view = It is ranked as one of { $n }{ in-view } systems.
check-ranks = { $view ->
    [all] Its rank
   *[other] Its rank among all, whatever their training,
} may be anything from { $low } to { $high } (90%, one row at a time).
check-excluded = { $n ->
    [one] 1 score is
   *[other] { $n } scores are
} excluded (needs evidence) and not counted here.
check-excluded-matters = { check-excluded } Counting { $n ->
    [one] it
   *[other] them
}, this one { $tied ->
    [yes] would be
   *[no] would not be
} tied for first.
check-odd = It is unusually { $side ->
    [lower] low
   *[higher] high
} for this leaderboard. Test topics in training, another protocol, an error or a better system would look alike.
check-tries = If all { $n } runs tried were equally good, luck alone would put the best { $luck } ahead. Settings of one system share luck, so it is less for them.
check-tries-left = Without that luck, { $left } { $tied ->
    [yes] would still be
   *[no] would not be
} tied for first.
check-by-topics = The leaderboard compares systems topic by topic; only the mean of your score is known.
check-evidence = Evidence: { $kind ->
    [own-variance] variance measured on runs of this collection.
    [own-and-predicted] variance measured on few runs of this collection, and predicted. The margin allows for that.
    [predicted] variance predicted from the measure and relevant documents. The margin allows for that.
    [predicted-from-siblings] variance predicted from other years of the track. The margin allows for that.
   *[predicted-without-density] variance predicted from the measure alone. The margin allows for that.
}
check-detectable = A planned pair that truly differs by { $difference } is found significant four times in five ({ $low }–{ $high }).

check-gain = { $difference } over the baseline is { $significant ->
    [yes] significant
   *[no] not significant
}{ $n ->
    [one] , if this is the one comparison you planned ({ $needed } needed).
   *[other] , as the best of { $n } runs tried ({ $needed } needed).
}
check-gain-by-topics = Scores by topic would give an exact test.
check-gain-unknown = { $difference } over the baseline; nothing here says how much scores vary.
check-no-gain = The score is not better than the baseline.
check-field = { $weak ->
    [yes] Weak: { $n_better }
   *[no] { $n_better }
} of { $n } { field } score { higher } than { $score }{ $n_level ->
    [0] .
   *[other] ; { $n_level } score the same.
}
check-best-reference = The best of them, { $name }, has { $best }{ $beats ->
    [yes] , which is { higher } than your score too.
   *[no] .
}
check-year = { $year ->
    [none] No result on record with a year is better than the baseline.
   *[other] Results on record have been better than the baseline since { $year }.
}

## Check a score: for a paper or a review

check-cite = On { $board } ({ $measure }), { $score } is { $place ->
    [behind] { $behind } { $side ->
        [lower] above
       *[higher] below
    } the best of { $n }{ in-view } { results-cited } ({ $best }) and { $tied ->
        [yes] statistically tied for first
       *[no] not tied for first
    } (margin { $margin }, 95%)
    [equal] equal to the best of { $n }{ in-view } { results-cited } (margin { $margin }, 95%; { $rivals } tied)
   *[ahead] better than the best of { $n }{ in-view } { results-cited } ({ $best }; margin { $margin }, 95%; { $rivals } tied)
}.
pair-judged = { $place ->
    [equal] equals the best reported, { $best }
    [behind] is { $difference } { $side ->
        [lower] above
       *[higher] below
    } the best reported, { $best }: { judged }
   *[ahead] is { $difference } { higher } than the best reported, { $best }: { judged }
}
judged = { $significant ->
    [yes] significant
   *[no] not significant
} ({ $needed } needed for an average pair, 95%)
check-pair = Too few results to rank: { $score } { pair-judged }.
check-cite-pair = On { $board } ({ $measure }), { $score } { pair-judged }; too few results to rank.
check-cite-unknown = On { $board } ({ $measure }), { $n_better } of { $n } reported scores are { higher } than { $score }; no margin is known.
results-cited = reported { $n ->
    [one] score
   *[other] scores
}
check-cite-baseline = The baseline, { $score }, is worse than { $n_better } of { $n } { field }.
check-cite-baseline-alone = On { $board } ({ $measure }), a baseline of { $score } is worse than { $n_better } of { $n } { field }.

## Check a score: the form

check-no-results = No results on record for { $collection } under { $measure }. Try another measure.
check-no-place = Nothing on { $board } competes, so there is nothing to compare with.
check-needs = Enter a score or a baseline, e.g. 0.745.
check-range = { $measure } runs { $span }.{ $fraction ->
    [none] { " " }Check { $given }.
   *[other] { " " }If { $given } is a percentage, enter { $fraction }.
}
your-score = your score { $score }
your-baseline = your baseline { $score }

## Check: the best of many equally good systems

best-of-headline = If all { $n } were equally good at { $mean }, the best would reach { $best } one time in five.
best-of-chance = The best of { $n } equally good systems around { $mean } is expected at { $expected_best }, the worst at { $expected_worst }.
best-of-ends = In { $level } of cases the best stays below { $upper }, and in as many the worst stays above { $lower }.
best-of-reached = Their best would reach { $best } in { $share } of cases.
best-of-held = { $n } such systems around { $mean } all lie between { $lower } and { $best } with probability { $held }.
best-of-correlation = With errors correlated by { $correlation }, the { $level } point is that of { $effective } uncorrelated systems.
best-of-correlated-mean = An equal mean of { $mean } then explains { $best }.
best-of-gumbel = The textbook’s Gumbel distribution puts its { $level } point around { $mean } at { $rough }, not { $exact }.
best-of-published = The standard error, { $error }, is the spread of the results over the square root of the topics. It counts real differences as error.
best-of-given = The standard error, { $error }, comes from the variance you gave.
best-of-sd-or-variance = Enter the standard deviation of the results, or the variance.
best-of-not-both = Enter the standard deviation or the variance, not both.
best-of-below-mean = The best, { $best }, is below the mean, { $mean }. Higher must be better.

## Review a table: what can be said of a score

review-failed = exactly 0: counts as a failed run and enters no analysis
review-better = { $n_better } of { $n } on record { $n_better ->
    [one] is
   *[other] are
} better
review-equals-best = equals the best on record
review-best = { $lead } better than the best on record{ $margin ->
    [beyond] { " " }(significant)
    [within] { " " }(not significant)
   *[unknown] { "" }
}
review-excluded = { $n } excluded there { $n ->
    [one] is
   *[other] are
} better
review-percentile = percentile { $percentile } of { $n } { $field ->
    [runs] TREC runs
   *[reference] reference runs
}
review-gain = { $gain } { $side ->
    [worse] worse
   *[better] better
} than { $rival }: { $found ->
    [significant] significant ({ $needed } needed)
    [tie] not significant ({ $needed } needed)
    [unknown] nobody knows how much scores vary here
   *[unsaid] not asked, as the best baseline was picked by its score
}
review-new = no system or model of this name on record here
review-differs = { $scores } on record for { $name }
review-differs-runs = { $scores } on record for { $n } runs of this model
review-same = as on record for { $name }
review-held-back = excluded on record: needs evidence
review-unknown = no analysed results on record here

review-label = { $kind ->
    [weak] weak
    [not-told-apart] not significant
    [beyond] significant
    [record] best reported
    [new] new
    [same] as on record
    [contested] differs
    [held-back] excluded on record
   *[unknown] not known
}
review-kind = { $kind ->
    [weak] most TREC runs or reference runs score higher
    [not-told-apart] within what chance explains for an average pair; not equally good
    [beyond] beyond what chance explains for an average pair
    [record] better than the best on record
    [new] no system or model of this name on record here
    [same] the record has this score, to the digits that both report
    [contested] another value on record; perhaps another checkpoint or setting
    [held-back] excluded on record: needs evidence
   *[unknown] nothing on record tells chance from a difference
}

## Review a table: the answer

rival = { $baselines ->
    [0] the best other row
   *[other] the best baseline
}
review-claim = { $n_beats ->
    [0] { $system } has no significant gain over { rival } on { $columns }
   *[other] { $n_beats } of { $n } gains { $n_beats ->
        [one] is
       *[other] are
    } significant: { $system } beats { rival } on { $where }
}{ $n_trails ->
    [0] { "" }
   *[other] , and is significantly lower on { $trails }
}{ $n_unknown ->
    [0] { "" }
   *[other] ; { $n_unknown } can’t be judged
}.
review-claim-unknown = Nothing on record tells whether { $system } beats { rival }.
review-claims = What the table claims of { $n } rows
review-no-claim = Which gains are significant? Tick your rows.
review-many = { $n } columns
review-all = all { $n } columns
review-only = { $name } only
review-marks = The paper marks { $n } { $n ->
    [one] gain
   *[other] gains
} as significant ({ $marks }{ $test ->
    [none] , test not named
   *[other] , { $test }
}). From the means we { $confirmed ->
    [none] confirm none: not { $others }.
   *[other] confirm { $confirmed }{ $others ->
        [none] .
       *[other] , not { $others }.
    }
}
review-summary = { $n } { $n ->
    [one] comparison
   *[other] comparisons
} with { rival }{ $n_together ->
    [0] .
   *[other] , corrected as { $n_together } (Holm).
}{ $n_unknown ->
    [0] { "" }
   *[other] { " " }{ $n_unknown } can’t be judged here.
}
review-summary-found = { $n_beyond } significant.
review-all-pairs = Without a baseline all pairs of a column count, as its best is picked by its score.

## A paper: what its gains amount to

gains-rival = { $kind ->
    [earlier] the best earlier result
    [both] its best baseline or the best earlier result
   *[baseline] its best baseline
}
gains-of = { $system ->
    [several] this paper
   *[one] { $system }
}
gains-claim = { $n ->
    [0] Nothing on record tells whether { $system ->
        [several] this paper
       *[one] { $system }
    } beats { gains-rival }
    [1] From the means, { gains-of } { $n_beats ->
        [0] does not beat { gains-rival } significantly
       *[other] beats { gains-rival } significantly
    } on { $board }
   *[other] From the means, { gains-of } beats { gains-rival } significantly on { $n_beats ->
        [0] none
       *[other] { $n_beats }
    } of { $n } leaderboards
}{ $n_unknown ->
    [0] { "" }
   *[other] ; { $n_unknown } can’t be judged
}{ $trained ->
    [0] { "" }
   *[other] ; trained on { $trained } of these data sets
}.
gains = Significant gains
gains-corrected = { $n ->
    [0] how much scores vary is not known here
    [1] 95%, one comparison
   *[other] 95%, corrected for { $n } comparisons (Holm)
}
gains-tied = Tied for first today
gains-highest = { $n ->
    [0] highest on none
   *[other] highest of all on { $n }
}
gains-differ = Differ from another source
gains-second = { $n_met ->
    [0] none reproduced yet
   *[other] { $n_met } reproduced
}; { $n_alone } { $n_alone ->
    [one] has
   *[other] have
} no other source
gains-needed = { $kind ->
    [earlier] Best before: the highest of earlier years, by any source.
    [both] Beside: the paper’s best baseline; with a year, the highest of earlier years, by any source.
   *[baseline] Best baseline: the highest that the paper reports on the same leaderboard.
} Needed: the smallest significant difference of an average pair, from means. A paired test on scores by topic can find smaller ones.

## Review a table: what a reviewer may ask

ask-topics = Scores by topic for { $columns }
ask-topics-why = The paper’s test says significant; the means alone can’t show it.
ask-baseline = A stronger baseline than { $system }
ask-baseline-why = Most reference runs or TREC runs score higher on { $columns }.
ask-which = Which { $system }?
ask-which-why = { $n ->
    [one] 1 score differs
   *[other] { $n } scores differ
} from the record, by up to { $most }.
ask-mean = Which average of { $system }?
ask-mean-why = { $head } is { $printed }; the mean of its { $n } scores here is { $mean }.
ask-training = Was { $system } trained on { $columns }?
ask-training-why = { $n ->
    [one] It is
   *[other] They are
} meant to be zero-shot; the table does not say.
ask-test = A test for each gain
ask-test-why = The table marks no gain as significant.

## Compare: the answer

zero-shot-first = { $zero ->
    [yes] Zero-shot,{ " " }
   *[no] { "" }
}
n-leaderboards = { $n ->
    [one] 1 leaderboard
   *[other] { $n } leaderboards
}
compare-none-shared = No leaderboard has all of them.
compare-two = { zero-shot-first }{ $first } wins on { $wins } of { n-leaderboards }, { $second } on { $losses }; { $ties ->
    [one] 1 is a tie
   *[other] { $ties } are ties
}.
compare-leader = { zero-shot-first }{ $name } beats each of the others on more than half of { n-leaderboards }.
compare-no-leader = { zero-shot-first }no clear winner on the { n-leaderboards } that all share.
compare-training = { $kind ->
    [zero-shot] Zero-shot for { $everybody }
    [all-trained] { $everybody ->
        [both] Both
       *[all] All
    } trained on it
    [trained] Only { $who } trained on it
   *[undisclosed] Training undisclosed
}
compare-aside = On leaderboards that one was trained on, wins are counted apart.
compare-not-analysed = the leaderboard is not analysed yet
compare-execution = one is another execution of a system, and only the mean of all competes
compare-not-ranked = one is not ranked there, or came after the last analysis
compare-no-variance = nobody knows how much scores vary there
compare-nothing = No leaderboard has comparable results of two of them. Try others.

## Compare: the form

compare-unknown = No system or model “{ $text }”.{ $names ->
    [none] { " " }Try part of its name, e.g. bge-m3.
   *[other] { " " }Did you mean: { $names }?
}
compare-ambiguous = “{ $text }” is several systems. Give the number: { $numbers }{ $more ->
    [0] .
   *[other] { " " }or { $more } more.
}
compare-no-team = no team
compare-too-many = Compare { $n } at most.
compare-too-few = Enter two names or more.
compare-repeated = { $system } is a system of { $model }, whose best result counts already. Enter one of the two.
compare-refused = These can’t be compared.
compare-no-model = No model “{ $name }”.
compare-no-open = No open model of at most 1B parameters beside { $beside }.

## Pairs, topic by topic

pair-far = { $is_seen ->
    [no] less than { $least }
   *[yes] { $far }
}
pair-same = Both have the same score on every topic.
pair-level = Their means are equal.
pair-ahead = { $name } is { pair-far } ahead.
pair-tied = { $name } is { pair-far } ahead: not significant ({ $p }). That is no proof that they are equally good.
pair-significant = { $name } is { pair-far } ahead: significant{ $state ->
    [alone] { " " }if this one comparison was planned ({ $p }).
    [planned] { " " }if this one comparison was planned ({ $p }), but not as one of { $n } pairs ({ $p_among }, Holm).
   *[among] , even as one of { $n } pairs ({ $p_among }, Holm).
}
pair-by-group = Topics here are { $kind ->
    [need] wordings of { $n } needs
   *[other] turns of { $n } conversations
}. With those of one counted together the t test says { $p }, with each by itself { $p_alone }; only the first allows for what they share.
pair-margin = { $found ->
    [equivalent] The 95% interval lies within the margin: neither is better by as much.
    [first-higher-beyond-the-margin] The first is better by more than the margin.
    [second-higher-beyond-the-margin] The second is better by more than the margin.
    [first-not-lower-beyond-the-margin] The first is not worse by as much; it may be better.
    [second-not-lower-beyond-the-margin] The second is not worse by as much; it may be better.
   *[inconclusive] Open: either may be better by more than the margin.
}
pairs-about = { $correction ->
    [holm] with Holm’s correction, any false difference among all pairs has a chance of at most 5%
    [benjamini-hochberg] with Benjamini & Hochberg’s correction, on average at most 5% of the differences are false
    [none] without a correction, one in twenty pairs of equally good systems would differ
   *[procedure] any false difference among all pairs has a chance of at most 5%
}
pair-asks-mean = is the mean difference 0?
pair-asks-wilcoxon = are differences symmetric around 0?
pair-asks-sign = does each win on as many topics?
topics-neither = neither: systems differ by topic, and chance

pair-margin-above-0 = Enter a margin above 0, e.g. 0.01.
pair-line = Line { $number }: “{ $line }” { $fault ->
    [scores] is not two scores, with or without a topic before them.
    [comma] may be two scores or one with a decimal comma. Put semicolons between scores.
   *[cells] has { $n } cells, but line { $first } has { $most }. Give each line a topic, or none.
}
pair-two-topics = Give scores on two topics or more.
pair-too-many = These are { $n } topics; at most { $most } fit.
pair-twice = Topic { $topic } is there twice.
pair-answer = { $is_other ->
    [yes] significantly different{ $is_as_good ->
        [yes] , by less than matters
       *[no] { "" }
    }
   *[no] { $is_as_good ->
        [yes] as good
       *[no] open
    }
}
executions-fact = { $first } − { $second }
executions-fact-p = p { $p }{ $n ->
    [1] {""}
   *[other] , corrected for { $n } pairs (Holm)
}
executions-within = { $margin ->
    [none] As good
   *[other] As good within ±{ $margin }
}
executions-of-pairs = { $n ->
    [1] of 1 pair
   *[other] of { $n } pairs
}
executions-within-level = { $n ->
    [none] needs a margin: the smallest difference that matters
    [1] two one-sided tests, 95%
   *[other] two one-sided tests, 95%, corrected for { $n } pairs (Holm)
}
executions-drawn = { $name ->
    [executions] One dot, one execution, by system
   *[pairs] The difference of each two systems, with its 95% interval
}
executions-alone = Executions alone
executions-alone-meaning = { $system }, mean of { $n }, on these topics (95%)
executions-cite = On { $board }, { $first } scores { $estimate } against { $second }, by the means of their executions (95%: { $low } to { $high }; p { $p }{ $n ->
    [1] {""}
   *[other] , Holm for { $n } pairs
}).
executions-caption = One dot, one execution; the line is the mean of them.
executions-pairs-caption = Each pair with its 95% interval, for other topics and other executions.{ $margin ->
    [none] {""}
   *[other] { " " }Band: as good, within ±{ $margin }.
}
executions-not-judged = { $first } and { $second } can’t be judged: { $reason }.
executions-model = { $model ->
    [1] 1: one execution of each, the first
    [2] 2: executions as repeats
   *[other] 3: executions with an effect of their own
}
executions-single = Single executions differ by { $low } to { $high }; a t test would tell { $share } of their pairs apart.
executions-absent = { $n } scores are absent and stay so: the model is fitted by REML, and no topic is dropped.

## Home

home-run = RepLLaMA on { $board }: rank { $low }–{ $high } of { $n } (90%).

## Check: hints of the form

hint-collection = Any name of it, e.g. BEIR SciFact.
hint-measure = E.g. nDCG@10.
hint-score = A fraction: 0.305, not 30.5.
hint-baseline = On the same topics. Either will do alone.
hint-tried = Systems and settings tried on these topics. Default: 1.
hint-n = All that were made, published or not.
hint-topics = Topics behind each score.
hint-mean = Higher must be better.
hint-best = At least their mean.
hint-sd = Or give the variance.
hint-variance = Of one score on one topic, beyond system and topic.
hint-correlation = Between errors of two systems. Default: 0.

## Pairs: hints of the forms

hint-pair-test = The test of each pair, or the procedure for all at once. Default: randomization.
hint-pair-correction = How p-values allow for the number of pairs. Default: holm. Not for procedures of all pairs.
hint-pair-margin = The smallest difference that matters to you, on the scale of the measure.
hint-pair-scores = A line for each topic: its name, the first system’s score, the second’s. The name is optional. Separate them by blanks, tabs, commas or semicolons; write 0.5, not 0,5.
hint-pair-vectors-margin = The largest difference that doesn’t matter to you, chosen before you saw the scores.

## Compare: hints of the forms

hint-compare-model = A model, by slug or name; its best result counts.
hint-compare-system = A system or model, by number or name; two to four of them.
hint-compare-beside-model = Slug of a model.
hint-compare-collection = Any name of a collection.
hint-compare-measure = Any name of a measure.

## A model: what several sources report

model-reproduced = On { $n ->
    [one] 1 leaderboard
   *[other] { $n } leaderboards
} several sources have a score of it; { $n_agreeing ->
    [0] none agree
    [one] 1 agrees
   *[other] { $n_agreeing } agree
} within rounding. A difference does not say which of them is right.
