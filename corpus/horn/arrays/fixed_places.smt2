; expect: safe
; engines: pdr
; Two counters are kept at fixed places of a memory.
(set-logic HORN)
(declare-fun state (Int (Array Int Int)) Bool)
(assert (forall ((p Int) (m (Array Int Int))) (state p (store (store m p 0) (+ p 4) 0))))
(assert (forall ((p Int) (m (Array Int Int)))
  (=> (state p m)
      (state p (store (store m p (+ (select m p) 1)) (+ p 4) (+ (select m (+ p 4)) 2))))))
(assert (forall ((p Int) (m (Array Int Int)))
  (=> (and (state p m) (> (select m p) (select m (+ p 4)))) false)))
(check-sat)
