; expect: sat unsat unsat
; Facts about order and divisibility.
(set-logic LIA)
(declare-const x Int)
(push 1)
(assert (forall ((y Int)) (exists ((z Int)) (and (> z y) (> z x)))))
(check-sat)
(pop 1)
(push 1)
(assert (forall ((y Int)) (exists ((z Int)) (= y (* 2 z)))))
(check-sat)
(pop 1)
(assert (and (< 3 x 6) (exists ((z Int)) (= x (* 3 z)))))
(check-sat)
