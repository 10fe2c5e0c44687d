; expect: safe
; engines: cells
; Blocks of a program by truth values, as large blocks are encoded: what arrays and indices are is said where a run
; goes through a block. Where a cell of one array is ten, that of the other is twenty.
(set-logic HORN)
(declare-fun fill (Int Int Int (Array Int Int) (Array Int Int)) Bool)
(assert (forall ((p Int) (q Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (> p 0) (> q 0)) (fill 0 p q a b))))
(assert (forall ((i Int) (p Int) (q Int) (x Int) (at Int) (to Int)
    (a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (d (Array Int Int)) (e (Array Int Int))
    (body Bool) (ten Bool) (skip Bool) (end Bool) (is Bool))
  (=> (and (fill i p q a b) end
        (or (not end) ten (and skip body))
        (or (not body) (= at (+ p i))) (or (not body) (= c (store a at x)))
        (or (not body) (= is (= x 10)))
        (or (not ten) body) (or (not ten) is) (or (not ten) (= to (+ q i)))
        (or (not ten) (= d (store b to 20))) (or (not ten) (= e d))
        (or (not skip) (not is)) (or (not skip) (not body) (= e b)))
      (fill (+ i 1) p q c e))))
(assert (forall ((i Int) (k Int) (p Int) (q Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (fill i p q a b) (<= 0 k) (< k i) (= (select a (+ p k)) 10) (distinct (select b (+ q k)) 20))
      false)))
(check-sat)
