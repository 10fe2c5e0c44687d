; expect: unsafe
; The midpoint of a binary search, (low + high) / 2, on words of 32 bits: the sum overflows.
(set-logic HORN)
(declare-fun Search ((_ BitVec 32) (_ BitVec 32)) Bool)
(assert (forall ((n (_ BitVec 32))) (Search #x00000000 n)))
(assert (forall ((low (_ BitVec 32)) (high (_ BitVec 32)))
  (=> (and (Search low high) (bvult low high))
      (Search (bvadd (bvudiv (bvadd low high) #x00000002) #x00000001) high))))
(assert (forall ((low (_ BitVec 32)) (high (_ BitVec 32)))
  (=> (and (Search low high) (bvult low high)
           (bvult (bvudiv (bvadd low high) #x00000002) low)) false)))
(check-sat)
