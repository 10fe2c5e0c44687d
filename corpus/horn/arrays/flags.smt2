; expect: safe
; engines: cells
; Flags are raised one by one: an array of truth values.
(set-logic HORN)
(declare-fun loop (Int Int (Array Int Bool)) Bool)
(assert (forall ((n Int)) (loop 0 n ((as const (Array Int Bool)) false))))
(assert (forall ((i Int) (n Int) (a (Array Int Bool)))
  (=> (and (loop i n a) (< i n)) (loop (+ i 1) n (store a i true)))))
(assert (forall ((i Int) (n Int) (a (Array Int Bool)) (k Int))
  (=> (and (loop i n a) (>= i n) (>= n 0)
           (not (= (select a k) (and (<= 0 k) (< k n))))) false)))
(check-sat)
