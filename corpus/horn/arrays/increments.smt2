; expect: safe
; engines: cells
; Elements are counted up in place; the array as it was is kept.
(set-logic HORN)
(declare-fun loop (Int Int (Array Int Int) (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int))) (loop 0 n a a)))
(assert (forall ((i Int) (n Int) (old (Array Int Int)) (a (Array Int Int)))
  (=> (and (loop i n old a) (< i n)) (loop (+ i 1) n old (store a i (+ (select a i) 1))))))
(assert (forall ((i Int) (n Int) (old (Array Int Int)) (a (Array Int Int)) (k Int))
  (=> (and (loop i n old a) (>= i n) (<= 0 k) (< k n)
           (not (= (select a k) (+ (select old k) 1)))) false)))
(check-sat)
