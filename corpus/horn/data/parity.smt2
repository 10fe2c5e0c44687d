; No number is even and odd.
; expect: safe
; engines: automata
(set-logic HORN)
(declare-datatypes ((Nat 0)) (((zero) (succ (pred Nat)))))
(declare-fun even (Nat) Bool)
(declare-fun odd (Nat) Bool)
(assert (even zero))
(assert (forall ((n Nat)) (=> (even n) (odd (succ n)))))
(assert (forall ((n Nat)) (=> (odd n) (even (succ n)))))
(assert (forall ((n Nat)) (=> (and (even n) (odd n)) false)))
(check-sat)
