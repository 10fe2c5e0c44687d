; expect: safe
; engines: bits-ic3 int-pdr ideal-pdr
; Two counters in step, one of which goes by two: what relates them survives the overflow of both. The
; steps stand below a disjunction, as front ends write them.
(set-logic HORN)
(declare-fun state (Bool (_ BitVec 16) (_ BitVec 16)) Bool)
(assert (forall ((s Bool) (x (_ BitVec 16)) (y (_ BitVec 16)))
  (=> (and (not s) (= x #x0000) (= y #x0000)) (state s x y))))
(assert (forall ((s Bool) (x (_ BitVec 16)) (y (_ BitVec 16))
                 (t Bool) (u (_ BitVec 16)) (v (_ BitVec 16)))
  (=> (and (state s x y)
           (or (and (not s) (not t) (bvslt x #x0100) (= u (bvadd x #x0001))
                    (= v (bvadd y (bvmul #x0002 #x0001))))
               (and (not s) t (= u x) (= v y))))
      (state t u v))))
(assert (forall ((x (_ BitVec 16)) (y (_ BitVec 16)))
  (=> (and (state true x y) (not (= y (bvadd x x)))) false)))
(check-sat)
