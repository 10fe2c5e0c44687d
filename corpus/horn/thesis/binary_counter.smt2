; expect: safe
; engines: recursion-free
; A machine that counts in binary, run for eight steps by three predicates, each of which is two runs
; of the one before (Hojjat 2013): from 0 it comes to 8 and nowhere else.
(set-logic HORN)
(declare-fun step0 (Bool Bool Bool Bool Bool Bool Bool Bool) Bool)
(declare-fun step1 (Bool Bool Bool Bool Bool Bool Bool Bool) Bool)
(declare-fun step2 (Bool Bool Bool Bool Bool Bool Bool Bool) Bool)
(declare-fun step3 (Bool Bool Bool Bool Bool Bool Bool Bool) Bool)
(assert (forall ((a Bool) (b Bool) (c Bool) (d Bool))
  (step0 a b c d (not a) (xor a b) (xor (and a b) c) (xor (and a b c) d))))
(assert (forall ((x0 Bool) (x1 Bool) (x2 Bool) (x3 Bool) (y0 Bool) (y1 Bool) (y2 Bool) (y3 Bool) (z0 Bool) (z1 Bool) (z2 Bool) (z3 Bool))
  (=> (and (step0 x0 x1 x2 x3 y0 y1 y2 y3) (step0 y0 y1 y2 y3 z0 z1 z2 z3)) (step1 x0 x1 x2 x3 z0 z1 z2 z3))))
(assert (forall ((x0 Bool) (x1 Bool) (x2 Bool) (x3 Bool) (y0 Bool) (y1 Bool) (y2 Bool) (y3 Bool) (z0 Bool) (z1 Bool) (z2 Bool) (z3 Bool))
  (=> (and (step1 x0 x1 x2 x3 y0 y1 y2 y3) (step1 y0 y1 y2 y3 z0 z1 z2 z3)) (step2 x0 x1 x2 x3 z0 z1 z2 z3))))
(assert (forall ((x0 Bool) (x1 Bool) (x2 Bool) (x3 Bool) (y0 Bool) (y1 Bool) (y2 Bool) (y3 Bool) (z0 Bool) (z1 Bool) (z2 Bool) (z3 Bool))
  (=> (and (step2 x0 x1 x2 x3 y0 y1 y2 y3) (step2 y0 y1 y2 y3 z0 z1 z2 z3)) (step3 x0 x1 x2 x3 z0 z1 z2 z3))))
(assert (forall ((x0 Bool) (x1 Bool) (x2 Bool) (x3 Bool))
  (=> (and (step3 false false false false x0 x1 x2 x3) (not (and (not x0) (not x1) (not x2) x3))) false)))
(check-sat)
