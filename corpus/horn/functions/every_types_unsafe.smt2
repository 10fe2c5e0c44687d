; expect: unsafe
; engines: pdr duality la
; Fields may point to addresses of three types, which takes four functions that satisfy axioms together.
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
(assert (forall ((p Int)) (=> (and true (walk p) (> (type p) 2)) false)))
(check-sat)
