; Pushing onto a heap keeps what is on top least, and adds one element.
; expect: safe
; engines: folds
(set-logic HORN)
(declare-datatypes ((Heap 0)) (((empty) (node (left Heap) (top Int) (right Heap)))))
(declare-fun push (Int Heap Heap) Bool)
(declare-fun size (Heap Int) Bool)
(assert (forall ((a Int)) (push a empty (node empty a empty))))
(assert (forall ((a Int) (b Int) (x Heap) (y Heap) (z Heap))
  (=> (and (<= a b) (push b y z)) (push a (node x b y) (node z a x)))))
(assert (forall ((a Int) (b Int) (x Heap) (y Heap) (z Heap))
  (=> (and (> a b) (push a y z)) (push a (node x b y) (node z b x)))))
(assert (size empty 0))
(assert (forall ((x Heap) (a Int) (y Heap) (m Int) (n Int))
  (=> (and (size x m) (size y n)) (size (node x a y) (+ m n 1)))))
(assert (forall ((a Int) (x Heap) (y Heap) (m Int) (n Int))
  (=> (and (push a x y) (size x m) (size y n) (not (= n (+ m 1)))) false)))
(check-sat)
