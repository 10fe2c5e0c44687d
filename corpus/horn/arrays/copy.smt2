; expect: safe
; engines: cells
; One array is copied to another, cell by cell.
(set-logic HORN)
(declare-fun loop (Int Int (Array Int Int) (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int)) (b (Array Int Int))) (loop 0 n a b)))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (loop i n a b) (< i n)) (loop (+ i 1) n a (store b i (select a i))))))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (b (Array Int Int)) (k Int))
  (=> (and (loop i n a b) (>= i n) (<= 0 k) (< k n) (not (= (select a k) (select b k)))) false)))
(check-sat)
