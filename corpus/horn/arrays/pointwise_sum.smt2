; expect: safe
; engines: cells
; Two arrays are added element by element.
(set-logic HORN)
(declare-fun loop (Int Int (Array Int Int) (Array Int Int) (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int))) (loop 0 n a b c)))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)))
  (=> (and (loop i n a b c) (< i n))
      (loop (+ i 1) n a b (store c i (+ (select a i) (select b i)))))))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (k Int))
  (=> (and (loop i n a b c) (>= i n) (<= 0 k) (< k n)
           (not (= (select c k) (+ (select a k) (select b k))))) false)))
(check-sat)
