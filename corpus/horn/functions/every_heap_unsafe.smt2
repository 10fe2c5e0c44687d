; expect: unsafe
; engines: pdr duality la
; Heaps are read and written by functions whose axioms have no finite model; elements are arrays in the evidence.
(set-option :functions every)
(set-logic HORN)
(declare-sort Heap 0)
(declare-fun get (Heap Int) Int)
(declare-fun put (Heap Int Int) Heap)
(declare-fun state (Heap Int) Bool)
(assert (forall ((h Heap) (i Int) (v Int)) (= (get (put h i v) i) v)))
(assert (forall ((h Heap) (i Int) (j Int) (v Int)) (=> (distinct i j) (= (get (put h i v) j) (get h j)))))
(assert (forall ((h Heap)) (=> (and true ) (state (put h 0 5) 1))))
(assert (forall ((h Heap) (n Int)) (=> (and true (state h n)) (state (put h n n) (+ n 3)))))
(assert (forall ((h Heap) (n Int)) (=> (and true (state h n) (distinct (get h 3) 7)) false)))
(check-sat)
