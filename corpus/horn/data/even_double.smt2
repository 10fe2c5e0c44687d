; A number and itself are even together.
; expect: safe
; engines: automata
(set-logic HORN)
(declare-datatypes ((Truth 0)) (((no) (yes))))
(declare-datatypes ((Nat 0)) (((Z) (S (p Nat)))))
(declare-fun diseqB (Truth Truth) Bool)
(declare-fun even (Truth Nat) Bool)
(declare-fun plus (Nat Nat Nat) Bool)
(assert (diseqB no yes))
(assert (diseqB yes no))
(assert (even yes Z))
(assert (even no (S Z)))
(assert (forall ((x Nat) (v2 Truth)) (=> (even v2 x) (even v2 (S (S x))))))
(assert (forall ((y Nat)) (plus y Z y)))
(assert (forall ((x Nat) (y Nat) (v4 Nat)) (=> (plus v4 x y) (plus (S v4) (S x) y))))
(assert (forall ((x Nat) (v5 Nat) (v6 Truth))
  (=> (and (plus v5 x x) (even v6 v5) (diseqB v6 yes)) false)))
(check-sat)
