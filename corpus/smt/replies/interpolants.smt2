; expect: unsat
; Three steps of a counter that starts at 0 and goes up, and cannot end below.
(set-option :produce-interpolants true)
(set-logic QF_LIA)
(declare-const x0 Int)
(declare-const x1 Int)
(declare-const x2 Int)
(assert (! (= x0 0) :named start))
(assert (! (> x1 x0) :named up))
(assert (! (> x2 x1) :named again))
(assert (! (< x2 2) :named end))
(check-sat)
(get-interpolants start up again end)
(get-interpolants (and start up) (and again end))
