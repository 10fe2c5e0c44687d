; expect: safe
; engines: pdr duality la
; Addresses have the type that axioms give, whatever the fields are.
(set-option :functions every)
(set-logic HORN)
(declare-fun type (Int) Int)
(declare-fun walk (Int) Bool)
(declare-fun f0 (Int) Int)
(declare-fun f1 (Int) Int)
(declare-fun f2 (Int) Int)
(assert (forall ((a Int)) (= (type (f0 a)) 1)))
(assert (forall ((a Int)) (= (type (f1 a)) 2)))
(assert (forall ((a Int)) (= (type (f2 a)) 3)))
(assert (forall ((p Int)) (=> (and true (= (type p) 1)) (walk p))))
(assert (forall ((p Int)) (=> (and true (walk p)) (walk (f0 p)))))
(assert (forall ((p Int)) (=> (and true (walk p)) (walk (f1 p)))))
(assert (forall ((p Int)) (=> (and true (walk p)) (walk (f2 p)))))
(assert (forall ((p Int)) (=> (and true (walk p) (> (type p) 3)) false)))
(check-sat)
