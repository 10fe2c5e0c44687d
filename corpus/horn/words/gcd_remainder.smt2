; expect: unsafe
; engines: forward bits-ic3 bits-bmc
; Euclid's algorithm by remainders ends with zero, which the caller does not expect.
(set-logic HORN)
(declare-fun gcd ((_ BitVec 8) (_ BitVec 8)) Bool)
(assert (forall ((a (_ BitVec 8)) (b (_ BitVec 8)))
  (=> (and (bvult #x10 a) (bvult a b)) (gcd a b))))
(assert (forall ((a (_ BitVec 8)) (b (_ BitVec 8)))
  (=> (and (gcd a b) (not (= b #x00))) (gcd b (bvurem a b)))))
(assert (forall ((a (_ BitVec 8))) (=> (gcd a #x00) false)))
(check-sat)
