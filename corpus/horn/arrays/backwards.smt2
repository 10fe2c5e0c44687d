; expect: safe
; engines: cells
; ticks: 2000000
; Two counters meet: what goes up in one array goes down in the other, and their sum is the length.
(set-logic HORN)
(declare-fun loop (Int Int Int (Array Int Int) (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int)) (b (Array Int Int))) (=> (>= n 0) (loop 0 n n a b))))
(assert (forall ((i Int) (j Int) (n Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (loop i j n a b) (< i n)) (loop (+ i 1) (- j 1) n a (store b (- j 1) (select a i))))))
(assert (forall ((i Int) (j Int) (n Int) (a (Array Int Int)) (b (Array Int Int)) (k Int) (l Int))
  (=> (and (loop i j n a b) (>= i n) (<= 0 k) (< k n) (= (+ k l 1) n)
           (not (= (select a k) (select b l)))) false)))
(check-sat)
