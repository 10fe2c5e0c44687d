; expect: safe
; engines: pdr duality la
; Cells of a map are bounded by an axiom, and so is their sum, whatever the map is.
(set-option :functions every)
(set-logic HORN)
(declare-fun mem (Int) Int)
(declare-fun loop (Int Int) Bool)
(assert (forall ((a Int)) (<= 0 (mem a) 4)))
(assert (forall ((i Int)) (=> (and true (= i 0)) (loop i 0))))
(assert (forall ((i Int) (s Int)) (=> (and true (loop i s)) (loop (+ i 1) (+ s (mem i))))))
(assert (forall ((i Int) (s Int)) (=> (and true (loop i s) (> s (* 4 i))) false)))
(check-sat)
