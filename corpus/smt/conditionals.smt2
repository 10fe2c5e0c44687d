; expect: unsat sat
; The larger of two numbers is at least each of them.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(define-fun larger ((a Int) (b Int)) Int (ite (< a b) b a))
(push)
(assert (or (< (larger x y) x) (< (larger x y) y)))
(check-sat)
(pop)
(assert (> (larger x y) (+ x 3)))
(check-sat)
