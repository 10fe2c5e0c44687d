; expect: safe
; engines: recursion-free
; McCarthy's function on numbers up to 100 without its recursive branch: a tree of clauses.
; After Hojjat's thesis (EPFL 2013), chapter 5.
(set-logic HORN)
(declare-fun entered (Int) Bool)
(declare-fun returned (Int Int) Bool)
(declare-fun chosen (Int) Bool)
(declare-fun called (Int Int) Bool)
(assert (forall ((n Int)) (=> (> n 100) (entered n))))
(assert (forall ((n Int) (r Int)) (=> (and (entered n) (= r (- n 10))) (returned n r))))
(assert (forall ((x Int)) (=> (<= x 100) (chosen x))))
(assert (forall ((x Int) (y Int)) (=> (and (chosen x) (returned x y)) (called x y))))
(assert (forall ((x Int) (y Int)) (=> (and (called x y) (not (= y 91))) false)))
(check-sat)
