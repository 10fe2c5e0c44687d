; expect: unsat
; Every x and every y has many values between these lines, and no sum of few of them has one: a split on x does not end.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (<= 0 (- (* 187000000 x) (* 161000001 y)) 499999))
(assert (<= 1 (- (* 187000001 x) (* 161000000 y)) 500000))
(check-sat)
