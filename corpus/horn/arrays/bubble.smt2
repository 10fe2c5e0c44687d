; expect: safe
; engines: cells
; One pass of bubble sort brings the largest element to the end.
(set-logic HORN)
(declare-fun loop (Int Int (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int))) (=> (> n 0) (loop 0 n a))))
(assert (forall ((i Int) (n Int) (a (Array Int Int)))
  (=> (and (loop i n a) (< (+ i 1) n) (> (select a i) (select a (+ i 1))))
      (loop (+ i 1) n (store (store a i (select a (+ i 1))) (+ i 1) (select a i))))))
(assert (forall ((i Int) (n Int) (a (Array Int Int)))
  (=> (and (loop i n a) (< (+ i 1) n) (<= (select a i) (select a (+ i 1)))) (loop (+ i 1) n a))))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (k Int))
  (=> (and (loop i n a) (>= (+ i 1) n) (<= 0 k) (< k n) (< (select a (- n 1)) (select a k))) false)))
(check-sat)
