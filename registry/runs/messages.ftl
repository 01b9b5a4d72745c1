### What pages of runs say.
### $n_answered and $n_topics count topics, scores are text.

run-none-judged = None of its topics is judged here; the first of them is “{ $topic }”. { $n ->
    [0] Name the collection that it is on, with topics called as its judgements call them.
   *[other] Its topics and documents fit { $names }: name that collection.
}
run-over-all = over the judged topics
run-over-answered = over all { $n_topics } judged topics; { $mean } over the { $n_answered } answered
run-share = { $n_answered } of { $n_topics } topics are answered; the others count as 0.
run-incomplete = On { $collection }, { $n_answered } of { $n_topics } topics are answered: no rank, and no score to compare.
run-incomplete-missing = Missing: { $topics }
run-elsewhere = { $n_shared } of its { $n_topics } topics are answered, and its judgements know the documents.
run-mean-answered = Over the { $n_answered } answered
run-mean-zeros = { $is_complete ->
    [yes] Over all { $n_topics }
   *[no] If missing counts 0
}
run-over-ties = { $over }; { $low } to { $high } by the order of equal scores
run-ties = By the order of equal scores
run-ties-caption = Equal scores are ordered by document, descending, as in trec_eval. The range is the least and the most that another order gives.
run-rank-beside = Rank beside { $n } reported
run-ranks = rank range { $low }–{ $high }{ among-view } (90%, one row at a time)
run-ranks-unknown = its range can’t be said: { $why }
run-interval = { $low } to { $high } on other documents of the kind (95%), if anything wider
run-no-interval = { $measure } has no interval on other documents: { $reason }.
run-standardized = How many standard deviations the run is above the mean of systems that stay as they are, topic by topic.
run-standardized-caption = { $measure }, mean over { $n_topics } topics; the interval is for other topics and other systems like these
run-standardized-rank = { $n_better ->
    [0] better than all
   *[other] { $n_better } of { $n } are better
}
run-told-apart = topic by topic better than { $better }, worse than { $worse } (t test, Holm)
study-no-interval = has no interval: whichever of its documents are drawn it stays the same, so how it would move on others can’t be known.
own-in-parts = Pack it with gzip or zstd. You can send a table in parts: other systems, or other topics of the same, make one board.
own-incomplete = Not ranked, for they answer less than 90% of the judged topics:
own-unknown-measure = “{ $name }” is no measure that is known here, as nDCG@10 is. Correct it, or give one end of its range.
executions-unknown = No run or column “{ $name }”. There are { $names }.
executions-twice = “{ $name }” is named twice. A run or column is an execution of one system.
executions-other = “{ $name }” is a run or column itself. Name it among its executions, or call the system otherwise.
executions-most = At most { $most } runs or columns are compared at once.
executions-none = Name two executions or more of one system, as “A: A.1, A.2”.
executions-many = More than { $most } systems: choose one to compare with the others.
executions-claim = { $n ->
    [1] The difference is { $n_different ->
        [0] not significant
       *[other] significant
    }
   *[other] { $n_different ->
        [0] None
       *[other] { $n_different }
    } of { $n } differences { $n_different ->
        [0] is
        [1] is
       *[other] are
    } significant
}{ $n_as_good ->
    [-1] .
    [0] ; none is as good within ±{ $margin }.
   *[other] ; { $n_as_good } as good within ±{ $margin }.
}
executions-why = Some systems score differently each time they run. Say which runs or columns are executions of which. Each system is then one row, and differences hold for other topics and other executions.
