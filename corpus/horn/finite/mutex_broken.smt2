; expect: unsafe
; engines: forward
; Two processes take a lock by turns and may, since one forgets to look at the lock.
(set-logic HORN)
(declare-fun inv (Bool Bool Bool) Bool)
(assert (forall ((a Bool) (b Bool) (l Bool)) (=> (and (not a) (not b) (not l)) (inv a b l))))
(assert (forall ((a Bool) (b Bool) (l Bool)) (=> (and (inv a b l) (not l)) (inv true b true))))
(assert (forall ((a Bool) (b Bool) (l Bool)) (=> (and (inv a b l) true) (inv a true true))))
(assert (forall ((a Bool) (b Bool) (l Bool)) (=> (and (inv a b l) a) (inv false b false))))
(assert (forall ((a Bool) (b Bool) (l Bool)) (=> (and (inv a b l) b) (inv a false false))))
(assert (forall ((a Bool) (b Bool) (l Bool)) (=> (and (inv a b l) a b) false)))
(check-sat)
