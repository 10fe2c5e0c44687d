; expect: safe
; engines: cells
; ticks: 2000000
; An array is reversed in place and compared with a copy: elements are related to those at the other end.
(set-logic HORN)
(declare-fun loop (Int Int (Array Int Int) (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int))) (=> (>= n 0) (loop 0 n a a))))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (loop i n a b) (< i (- n 1 i)))
      (loop (+ i 1) n (store (store a i (select a (- n 1 i))) (- n 1 i) (select a i)) b))))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (b (Array Int Int)) (k Int))
  (=> (and (loop i n a b) (>= i (- n 1 i)) (<= 0 k) (< k n)
           (not (= (select a k) (select b (- n 1 k))))) false)))
(check-sat)
