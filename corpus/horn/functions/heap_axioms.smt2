; expect: unsafe
; engines: pdr
; A heap axiomatised by functions on an uninterpreted sort: what was written is read.
(set-logic HORN)
(declare-sort Heap 0)
(declare-fun get (Heap Int) Int)
(declare-fun put (Heap Int Int) Heap)
(declare-fun state (Heap Int) Bool)
(assert (forall ((h Heap) (i Int) (v Int)) (! (= (get (put h i v) i) v) :pattern ((put h i v)))))
(assert (forall ((h Heap) (i Int) (j Int) (v Int))
  (! (=> (distinct i j) (= (get (put h i v) j) (get h j))) :pattern ((get (put h i v) j)))))
(assert (forall ((h Heap)) (state (put h 0 5) 1)))
(assert (forall ((h Heap) (n Int)) (=> (and (state h n) (< n 3)) (state (put h n n) (+ n 1)))))
(assert (forall ((h Heap)) (=> (and (state h 3) (= (+ (get h 0) (get h 1) (get h 2)) 8)) false)))
(check-sat)
