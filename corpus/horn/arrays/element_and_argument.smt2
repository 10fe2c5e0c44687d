; expect: safe
; engines: pdr
; One constant array is an argument and the element of another array.
(set-logic HORN)
(declare-fun p ((Array Int Int) (Array Int (Array Int Int)) Int) Bool)
(assert (forall ((x (Array Int Int)))
  (p x ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) 0)) (select x 0))))
(assert (p ((as const (Array Int Int)) 0) ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) 0)) 0))
(assert (forall ((x (Array Int Int)) (y (Array Int (Array Int Int))) (z Int) (u (Array Int (Array Int Int))))
  (=> (and (p x y z) (p x u z) (= u ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) 1))))
    false)))
(check-sat)
