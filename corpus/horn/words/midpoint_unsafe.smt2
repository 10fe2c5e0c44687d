; expect: unsafe
; engines: bits-ic3 bits-bmc int-pdr pdr
; The midpoint of a binary search, computed as half of a sum that overflows, lies outside.
(set-logic HORN)
(declare-fun search ((_ BitVec 16) (_ BitVec 16)) Bool)
(assert (forall ((n (_ BitVec 16))) (=> (bvult #x0000 n) (search #x0000 n))))
(assert (forall ((lo (_ BitVec 16)) (hi (_ BitVec 16)) (mid (_ BitVec 16)))
  (=> (and (search lo hi) (bvult lo hi) (= mid (bvlshr (bvadd lo hi) #x0001)))
      (search (bvadd mid #x0001) hi))))
(assert (forall ((lo (_ BitVec 16)) (hi (_ BitVec 16)) (mid (_ BitVec 16)))
  (=> (and (search lo hi) (bvult lo hi) (= mid (bvlshr (bvadd lo hi) #x0001)) (not (bvule lo mid)))
      false)))
(check-sat)
