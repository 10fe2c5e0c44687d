; expect: unsafe
; engines: accelerate-pdr accelerate-bmc abmc
; Three numbers change places in every round, through two predicates; after 300002 rounds they stand right.
(set-logic HORN)
(declare-fun here (Int Int Int Int) Bool)
(declare-fun there (Int Int Int Int) Bool)
(assert (here 1 2 3 0))
(assert (forall ((x Int) (y Int) (z Int) (k Int)) (=> (here x y z k) (there y z x (+ k 1)))))
(assert (forall ((x Int) (y Int) (z Int) (k Int)) (=> (there x y z k) (here y z x (+ k 1)))))
(assert (forall ((x Int) (y Int) (z Int) (k Int))
  (=> (and (there x y z k) (= k 300001) (= x 2)) false)))
(check-sat)
