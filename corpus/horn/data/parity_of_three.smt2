; Of the multiples of three none comes right after another; three states, which two bits say.
; expect: safe
; engines: automata
(set-logic HORN)
(declare-datatypes ((Nat 0)) (((zero) (succ (pred Nat)))))
(declare-fun multiple (Nat) Bool)
(assert (multiple zero))
(assert (forall ((n Nat)) (=> (multiple n) (multiple (succ (succ (succ n)))))))
(assert (forall ((n Nat)) (=> (and (multiple n) (multiple (succ n))) false)))
(assert (forall ((n Nat)) (=> (and (multiple n) (multiple (succ (succ n)))) false)))
(check-sat)
