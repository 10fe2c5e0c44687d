; A closed auction that can be opened again does not keep its price.
; expect: unsafe
(set-logic HORN)
(declare-datatypes ((phase 0)) (((created) (opened) (closed))))
(declare-fun state (phase Int Int) Bool)
(assert (state created 0 0))
(assert (forall ((p phase) (h Int) (c Int)) (=> (and (state p h c) (not (= p opened))) (state opened h c))))
(assert (forall ((h Int) (c Int) (bid Int)) (=> (and (state opened h c) (> bid h)) (state opened bid c))))
(assert (forall ((h Int) (c Int)) (=> (and (state opened h c) (= c 0)) (state closed h h))))
(assert (forall ((h Int) (c Int)) (=> (and (state opened h c) (> c 0)) (state closed h c))))
(assert (forall ((p phase) (h Int) (c Int)) (=> (and (state p h c) (= p closed) (> h c)) false)))
(check-sat)
