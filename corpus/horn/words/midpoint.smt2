; expect: safe
; engines: int-pdr ideal-pdr
; The midpoint of a binary search, computed from the difference, lies inside whatever the bounds are.
(set-logic HORN)
(declare-fun search ((_ BitVec 16) (_ BitVec 16)) Bool)
(assert (forall ((n (_ BitVec 16))) (search #x0000 n)))
(assert (forall ((lo (_ BitVec 16)) (hi (_ BitVec 16)) (mid (_ BitVec 16)))
  (=> (and (search lo hi) (bvult lo hi) (= mid (bvadd lo (bvlshr (bvsub hi lo) #x0001))))
      (search (bvadd mid #x0001) hi))))
(assert (forall ((lo (_ BitVec 16)) (hi (_ BitVec 16)) (mid (_ BitVec 16)))
  (=> (and (search lo hi) (bvult lo hi) (= mid (bvadd lo (bvlshr (bvsub hi lo) #x0001))))
      (search lo mid))))
(assert (forall ((lo (_ BitVec 16)) (hi (_ BitVec 16))) (=> (and (search lo hi) (bvult hi lo)) false)))
(check-sat)
