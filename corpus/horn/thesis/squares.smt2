; expect: safe
; The sums of odd numbers, each with the next odd number; no two that follow each other come with
; the same one: 2x = n - 1 modulo 4 (Hojjat 2013). No engine
; finds that relation in a small budget.
(set-logic HORN)
(declare-fun sq (Int Int) Bool)
(assert (sq 1 0))
(assert (forall ((n Int) (x Int)) (=> (sq n x) (sq (+ n 2) (+ x n)))))
(assert (forall ((n Int) (x Int)) (=> (and (> x 1) (sq n x) (sq n (+ x 1))) false)))
(check-sat)
