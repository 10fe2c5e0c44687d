; expect: safe
; engines: pdr duality la
; A map that grows with its address: an axiom of two variables.
(set-option :functions every)
(set-logic HORN)
(declare-fun mem (Int) Int)
(declare-fun loop (Int) Bool)
(assert (forall ((a Int) (b Int)) (=> (<= a b) (<= (mem a) (mem b)))))
(assert (forall ((i Int)) (=> (and true (= i 0)) (loop i))))
(assert (forall ((i Int)) (=> (and true (loop i)) (loop (+ i 2)))))
(assert (forall ((i Int)) (=> (and true (loop i) (< (mem i) (mem 0))) false)))
(check-sat)
