; expect: safe
; engines: int-pdr ideal-pdr
; Sums that saturate do not come down again.
(set-logic HORN)
(declare-fun level ((_ BitVec 32) (_ BitVec 32)) Bool)
(assert (forall ((x (_ BitVec 32))) (level x x)))
(assert (forall ((x (_ BitVec 32)) (y (_ BitVec 32)) (by (_ BitVec 32)))
  (=> (level x y) (level x (ite (bvult (bvadd y by) y) #xffffffff (bvadd y by))))))
(assert (forall ((x (_ BitVec 32)) (y (_ BitVec 32))) (=> (and (level x y) (bvult y x)) false)))
(check-sat)
