; Adding is commutative, with numbers as chains of successors and a predicate for what is different.
; expect: safe
; engines: folds
(set-logic HORN)
(declare-datatypes ((Nat 0)) (((zero) (succ (pred Nat)))))
(declare-fun plus (Nat Nat Nat) Bool)
(declare-fun differ (Nat Nat) Bool)
(assert (forall ((n Nat)) (differ zero (succ n))))
(assert (forall ((n Nat)) (differ (succ n) zero)))
(assert (forall ((m Nat) (n Nat)) (=> (differ m n) (differ (succ m) (succ n)))))
(assert (forall ((n Nat)) (plus zero n n)))
(assert (forall ((m Nat) (n Nat) (k Nat)) (=> (plus m n k) (plus (succ m) n (succ k)))))
(assert (forall ((m Nat) (n Nat) (k Nat) (l Nat))
  (=> (and (plus m n k) (plus n m l) (differ k l)) false)))
(check-sat)
