; expect: unsafe
; engines: cells bmc pdr
; The search goes on after a match, so that the element is at a place before.
(set-logic HORN)
(declare-fun loop (Int Int Int Int (Array Int Int)) Bool)
(assert (forall ((n Int) (x Int) (a (Array Int Int))) (loop 0 (- 1) n x a)))
(assert (forall ((i Int) (at Int) (n Int) (x Int) (a (Array Int Int)))
  (=> (and (loop i at n x a) (< i n)) (loop (+ i 1) (ite (= (select a i) x) i at) n x a))))
(assert (forall ((i Int) (at Int) (n Int) (x Int) (a (Array Int Int)) (k Int))
  (=> (and (loop i at n x a) (>= i n) (<= 0 k) (< k at) (= (select a k) x)) false)))
(check-sat)
