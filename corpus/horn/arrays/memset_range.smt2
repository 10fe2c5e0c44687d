; expect: safe
; engines: cells
; A range is filled, and what is outside of it stays as it was.
(set-logic HORN)
(declare-fun loop (Int Int Int Int (Array Int Int) (Array Int Int)) Bool)
(assert (forall ((lo Int) (hi Int) (v Int) (a (Array Int Int))) (=> (<= lo hi) (loop lo lo hi v a a))))
(assert (forall ((p Int) (lo Int) (hi Int) (v Int) (old (Array Int Int)) (a (Array Int Int)))
  (=> (and (loop p lo hi v old a) (< p hi)) (loop (+ p 1) lo hi v old (store a p v)))))
(assert (forall ((p Int) (lo Int) (hi Int) (v Int) (old (Array Int Int)) (a (Array Int Int)) (k Int))
  (=> (and (loop p lo hi v old a) (>= p hi)
           (not (= (select a k) (ite (and (<= lo k) (< k hi)) v (select old k))))) false)))
(check-sat)
