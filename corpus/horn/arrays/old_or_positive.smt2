; expect: safe
; engines: cells
; Positive numbers are written anywhere: an element is what it was, or positive.
(set-logic HORN)
(declare-fun state ((Array Int Int) (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int))) (state a a)))
(assert (forall ((old (Array Int Int)) (a (Array Int Int)) (i Int) (v Int))
  (=> (and (state old a) (> v 0)) (state old (store a i v)))))
(assert (forall ((old (Array Int Int)) (a (Array Int Int)) (k Int))
  (=> (and (state old a) (not (= (select a k) (select old k))) (<= (select a k) 0)) false)))
(check-sat)
