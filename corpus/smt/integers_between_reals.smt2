; expect: unsat sat unsat
; Integers under quantifiers with bounds that are real numbers: the nearest integers are what they have to be.
(set-logic ALL)
(declare-const r Real)
(push 1)
(assert (forall ((k Int)) (exists ((q Real)) (and (= (to_real k) (* 2.0 q)) (> q r)))))
(check-sat)
(pop 1)
(push 1)
(assert (forall ((s Real)) (exists ((k Int)) (and (<= (to_real k) s) (< s (+ (to_real k) 1.0))))))
(check-sat)
(pop 1)
(assert (forall ((k Int)) (< (to_real k) r)))
(check-sat)
