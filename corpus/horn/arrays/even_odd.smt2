; expect: safe
; engines: cells
; Even cells become zero and odd cells one.
(set-logic HORN)
(declare-fun loop (Int Int (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int))) (loop 0 n a)))
(assert (forall ((i Int) (n Int) (a (Array Int Int)))
  (=> (and (loop i n a) (< i n)) (loop (+ i 1) n (store (store a (* 2 i) 0) (+ (* 2 i) 1) 1)))))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (k Int))
  (=> (and (loop i n a) (>= i n) (<= 0 k) (< k (* 2 n)) (not (= (select a k) (mod k 2)))) false)))
(check-sat)
