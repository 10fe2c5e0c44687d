; expect: unsafe
; engines: pdr duality la
; For some map within the bounds the sum is as large as it can be.
(set-option :functions every)
(set-logic HORN)
(declare-fun mem (Int) Int)
(declare-fun loop (Int Int) Bool)
(assert (forall ((a Int)) (<= 0 (mem a) 4)))
(assert (forall ((i Int)) (=> (and true (= i 0)) (loop i 0))))
(assert (forall ((i Int) (s Int)) (=> (and true (loop i s)) (loop (+ i 1) (+ s (mem i))))))
(assert (forall ((i Int) (s Int)) (=> (and true (loop i s) (= s (* 4 3)) (= i 3)) false)))
(check-sat)
