; expect: safe
; engines: cells
; Cells are cleared from both ends until the pointers meet.
(set-logic HORN)
(declare-fun loop (Int Int Int (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int))) (loop 0 (- n 1) n a)))
(assert (forall ((l Int) (r Int) (n Int) (a (Array Int Int)))
  (=> (and (loop l r n a) (<= l r)) (loop (+ l 1) (- r 1) n (store (store a l 0) r 0)))))
(assert (forall ((l Int) (r Int) (n Int) (a (Array Int Int)) (k Int))
  (=> (and (loop l r n a) (> l r) (<= 0 k) (< k n) (not (= (select a k) 0))) false)))
(check-sat)
