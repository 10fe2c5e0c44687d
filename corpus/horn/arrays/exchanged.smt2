; expect: safe
; engines: cells
; ticks: 2000000
; Two arrays exchange their elements. The counter is gone where they are compared, so what is known there is what the comparison asks for.
(set-logic HORN)
(declare-fun loop (Int Int (Array Int Int) (Array Int Int) (Array Int Int) (Array Int Int)) Bool)
(declare-fun check (Int Int (Array Int Int) (Array Int Int) (Array Int Int) (Array Int Int)) Bool)
(assert (forall ((n Int) (c (Array Int Int)) (d (Array Int Int))) (loop 0 n c d c d)))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (d (Array Int Int)))
  (=> (and (loop i n a b c d) (< i n)) (loop (+ i 1) n (store a i (select b i)) (store b i (select a i)) c d))))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (d (Array Int Int)))
  (=> (and (loop i n a b c d) (>= i n)) (check i n a b c d))))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (d (Array Int Int)) (k Int))
  (=> (and (check i n a b c d) (<= 0 k) (< k n)
           (not (and (= (select a k) (select d k)) (= (select b k) (select c k))))) false)))
(check-sat)
