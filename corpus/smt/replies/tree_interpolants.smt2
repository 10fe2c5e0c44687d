; expect: unsat
; Two calls of a function that returns more than it gets, and a caller that adds the results.
(set-option :produce-interpolants true)
(set-logic QF_LRA)
(declare-const a Real)
(declare-const b Real)
(declare-const c Real)
(declare-const d Real)
(assert (! (> b a) :named left))
(assert (! (> d c) :named right))
(assert (! (and (= a 1.0) (= c 2.0) (< (+ b d) 3.0)) :named root))
(check-sat)
(get-interpolants left (right) root)
(get-interpolants left root)
