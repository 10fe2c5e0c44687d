; expect: safe
; engines: cells
; ticks: 1000000
; The rows of a grid are filled one after the other.
(set-logic HORN)
(declare-fun loop (Int Int Int Int (Array Int (Array Int Int))) Bool)
(assert (forall ((m Int) (n Int) (a (Array Int (Array Int Int)))) (loop 0 0 m n a)))
(assert (forall ((i Int) (j Int) (m Int) (n Int) (a (Array Int (Array Int Int))))
  (=> (and (loop i j m n a) (< i m) (< j n))
      (loop i (+ j 1) m n (store a i (store (select a i) j 1))))))
(assert (forall ((i Int) (j Int) (m Int) (n Int) (a (Array Int (Array Int Int))))
  (=> (and (loop i j m n a) (< i m) (>= j n)) (loop (+ i 1) 0 m n a))))
(assert (forall ((i Int) (j Int) (m Int) (n Int) (a (Array Int (Array Int Int))) (k Int) (l Int))
  (=> (and (loop i j m n a) (>= i m) (<= 0 k) (< k m) (<= 0 l) (< l n)
           (not (= (select (select a k) l) 1))) false)))
(check-sat)
