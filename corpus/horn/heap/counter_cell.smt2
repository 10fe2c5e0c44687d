; expect: safe
; engines: pdr
; A number on the heap is counted up, after its cell has been allocated with 5: it stays a number, from 5 on.
(set-logic HORN)
(declare-heap Heap Addr Object Nothing ((Object 0)) (((Num (num Int)) (Ref (ref Addr)) (Nothing))))
(declare-fun Start (Heap) Bool)
(declare-fun Loop (Heap Addr) Bool)
(assert (Start emptyHeap))
(assert (forall ((h Heap) (g Heap) (a Addr) (r AllocResHeap))
  (=> (and (Start h) (= r (alloc h (Num 5))) (= g (newHeap r)) (= a (newAddr r))) (Loop g a))))
(assert (forall ((h Heap) (a Addr))
  (=> (Loop h a) (Loop (write h a (Num (+ 1 (num (read h a))))) a))))
(assert (forall ((h Heap) (a Addr))
  (=> (and (Loop h a) (not (and (valid h a) (is-Num (read h a)) (>= (num (read h a)) 5)))) false)))
(check-sat)
