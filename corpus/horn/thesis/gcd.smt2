; expect: safe
; engines: pdr duality la cegar cegar-di cegar-global
; The greatest common divisor of a number with itself (Hojjat 2013, figure 5.1).
(set-logic HORN)
(declare-fun gcd (Int Int Int) Bool)
(assert (forall ((m Int) (n Int) (r Int))
  (=> (and (= m n) (= r m)) (gcd m n r))))
(assert (forall ((m Int) (n Int) (r Int))
  (=> (and (> m n) (gcd (- m n) n r)) (gcd m n r))))
(assert (forall ((m Int) (n Int) (r Int))
  (=> (and (< m n) (gcd m (- n m) r)) (gcd m n r))))
(assert (forall ((m Int) (n Int) (r Int))
  (=> (and (>= m 0) (= m n) (gcd m n r) (> r m)) false)))
(check-sat)
