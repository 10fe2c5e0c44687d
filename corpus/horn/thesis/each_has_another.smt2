; expect: unsafe
; engines: recursion-free pdr duality la bmc bmc-backward
; For each x there is another y: a true quantified Boolean formula, so the clauses are unsafe
; (Hojjat 2013; the false one is recursion_free/exists_forall).
(set-logic HORN)
(declare-fun differ (Bool Bool) Bool)
(declare-fun some (Bool) Bool)
(declare-fun all () Bool)
(assert (forall ((x Bool) (y Bool)) (=> (distinct x y) (differ x y))))
(assert (forall ((x Bool) (y Bool)) (=> (differ x y) (some x))))
(assert (=> (and (some true) (some false)) all))
(assert (=> all false))
(check-sat)
