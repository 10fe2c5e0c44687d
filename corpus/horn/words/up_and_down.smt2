; expect: safe
; engines: int-pdr ideal-pdr
; Up to a bound and down again, two counters in step, signed: what the second counter is at the end takes
; an equation of words and a comparison with the bound.
(set-logic HORN)
(declare-fun up ((_ BitVec 32) (_ BitVec 32) (_ BitVec 32)) Bool)
(declare-fun down ((_ BitVec 32) (_ BitVec 32)) Bool)
(assert (forall ((n (_ BitVec 32))) (up n #x00000000 #x00000000)))
(assert (forall ((n (_ BitVec 32)) (i (_ BitVec 32)) (k (_ BitVec 32)))
  (=> (and (up n i k) (bvslt i n)) (up n (bvadd i #x00000001) (bvadd k #x00000001)))))
(assert (forall ((n (_ BitVec 32)) (i (_ BitVec 32)) (k (_ BitVec 32)))
  (=> (and (up n i k) (bvsle n i)) (down n k))))
(assert (forall ((j (_ BitVec 32)) (k (_ BitVec 32)))
  (=> (and (down j k) (bvslt #x00000000 j)) (down (bvsub j #x00000001) (bvsub k #x00000001)))))
(assert (forall ((j (_ BitVec 32)) (k (_ BitVec 32)))
  (=> (and (down j k) (bvslt #x00000000 j) (bvsle k #x00000000)) false)))
(check-sat)
