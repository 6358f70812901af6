"""Change one constant, sign or operator of the library or of a chapter, run the chapter, and see whether claims notice.

A mutant is a syntax tree with one node changed: a numeric constant, a minus sign, + and − or × and ÷ exchanged, a power
or a factor dropped, a comparison turned round, the first two arguments of a call exchanged, a mean for a sum and the
largest for the least (``kinds``, ``places``). The chapter's twin is run in a forked process, without its figures and at
a small scale, with the mutated module in place of the real one (``runs``). Of the library, its own tests are asked
first, and then the chapters that execute the line (``campaign``).

A sample is tried of each kind: those whose names have the least checksums, so that an edit elsewhere leaves the sample
as it is. A few of each chapter by default; a campaign tries more, MUTANTS=drawn, or every one, MUTANTS=all, and keeps
what it finds (``store``). What a change does that nobody notices, ``effects`` says; why it may, a comment on its line
(``excuses``).
"""
