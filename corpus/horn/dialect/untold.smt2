; expect: safe
; engines: vacuous
; Asks for what is not told; the answer is told all the same.
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (and (p x) (> x 0)) false)))
(check-sat)
(get-value ((p 1)))
(get-info :all-statistics)
(get-model)
