; expect: safe
; engines: bits-ic3 int-pdr pdr
; An index into a ring of sixteen places, kept in it by a mask, whatever is added.
(set-logic HORN)
(declare-fun ring ((_ BitVec 32)) Bool)
(assert (ring #x00000000))
(assert (forall ((i (_ BitVec 32)) (by (_ BitVec 32)))
  (=> (ring i) (ring (bvand (bvadd i by) #x0000000f)))))
(assert (forall ((i (_ BitVec 32))) (=> (and (ring i) (not (bvult i #x00000010))) false)))
(check-sat)
