; expect: safe
; engines: cells
; The first place of an element is found: it is at no place before.
(set-logic HORN)
(declare-fun loop (Int Int Int (Array Int Int)) Bool)
(assert (forall ((n Int) (x Int) (a (Array Int Int))) (loop 0 n x a)))
(assert (forall ((i Int) (n Int) (x Int) (a (Array Int Int)))
  (=> (and (loop i n x a) (< i n) (not (= (select a i) x))) (loop (+ i 1) n x a))))
(assert (forall ((i Int) (n Int) (x Int) (a (Array Int Int)) (k Int))
  (=> (and (loop i n x a) (<= 0 k) (< k i) (= (select a k) x)) false)))
(check-sat)
