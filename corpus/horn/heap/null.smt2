; expect: safe
; engines: pdr
; What is written to null or to an address that comes later is lost, and reading there gives the default.
(set-logic HORN)
(declare-heap Heap Addr Range Object (Num 7) ((Object 0)) (((Num (num Int)))))
(declare-fun P (Heap Addr) Bool)
(assert (P (as heap.empty Heap) (heap.alloc_second (heap.alloc (as heap.empty Heap) (Num 1)))))
(assert (forall ((h Heap) (a Addr)) (=> (P h a) (P (heap.write h a (Num 3)) (as heap.null Addr)))))
(assert (forall ((h Heap) (a Addr)) (=> (and (P h a) (or (heap.valid h a) (distinct (num (heap.read h a)) 7))) false)))
(check-sat)
