; expect: unsafe
; engines: cells bmc pdr
; A range is filled without its end, which is then looked at.
(set-logic HORN)
(declare-fun loop (Int Int Int Int (Array Int Int)) Bool)
(assert (forall ((lo Int) (hi Int) (v Int) (a (Array Int Int))) (=> (<= lo hi) (loop lo lo hi v a))))
(assert (forall ((p Int) (lo Int) (hi Int) (v Int) (a (Array Int Int)))
  (=> (and (loop p lo hi v a) (< p hi)) (loop (+ p 1) lo hi v (store a p v)))))
(assert (forall ((p Int) (lo Int) (hi Int) (v Int) (a (Array Int Int)) (k Int))
  (=> (and (loop p lo hi v a) (>= p hi) (> hi (+ lo 1)) (<= lo k) (<= k hi) (not (= (select a k) v)))
      false)))
(check-sat)
