; expect: safe
; engines: bits-ic3 int-pdr ideal-pdr pdr
; Euclid's algorithm by subtraction on positive words: neither becomes zero.
(set-logic HORN)
(declare-fun gcd ((_ BitVec 32) (_ BitVec 32)) Bool)
(assert (forall ((a (_ BitVec 32)) (b (_ BitVec 32)))
  (=> (and (bvult #x00000000 a) (bvult #x00000000 b)) (gcd a b))))
(assert (forall ((a (_ BitVec 32)) (b (_ BitVec 32)))
  (=> (and (gcd a b) (bvult b a)) (gcd (bvsub a b) b))))
(assert (forall ((a (_ BitVec 32)) (b (_ BitVec 32)))
  (=> (and (gcd a b) (bvult a b)) (gcd a (bvsub b a)))))
(assert (forall ((a (_ BitVec 32)) (b (_ BitVec 32)))
  (=> (and (gcd a b) (or (= a #x00000000) (= b #x00000000))) false)))
(check-sat)
