; expect: unsafe
; engines: bmc
; Two cells are allocated, and the second refers to the first; writing through the reference changes the first.
(set-logic HORN)
(declare-heap Heap Addr Object Nothing ((Object 0)) (((Num (num Int)) (Ref (ref Addr)) (Nothing))))
(declare-fun One (Heap Addr) Bool)
(declare-fun Two (Heap Addr Addr) Bool)
(declare-fun End (Heap Addr) Bool)
(assert (One (allocHeap emptyHeap (Num 0)) (allocAddr emptyHeap (Num 0))))
(assert (forall ((h Heap) (a Addr))
  (=> (One h a) (Two (newHeap (alloc h (Ref a))) a (newAddr (alloc h (Ref a)))))))
(assert (forall ((h Heap) (a Addr) (b Addr))
  (=> (and (Two h a b) (distinct a b nullAddr)) (End (write h (ref (read h b)) (Num 1)) a))))
(assert (forall ((h Heap) (a Addr)) (=> (and (End h a) (= (read h a) (Num 1))) false)))
(check-sat)
