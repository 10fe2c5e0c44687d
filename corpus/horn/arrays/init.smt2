; expect: safe
; engines: cells
; All cells below n are set to zero, and one of them is looked at.
(set-logic HORN)
(declare-fun loop (Int Int (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int))) (loop 0 n a)))
(assert (forall ((i Int) (n Int) (a (Array Int Int)))
  (=> (and (loop i n a) (< i n)) (loop (+ i 1) n (store a i 0)))))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (k Int))
  (=> (and (loop i n a) (>= i n) (<= 0 k) (< k n) (not (= (select a k) 0))) false)))
(check-sat)
