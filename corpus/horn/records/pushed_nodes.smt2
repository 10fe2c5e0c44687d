; A list in a heap of numbers and nodes: nodes are pushed in front, numbers are put in between, and the list is walked. Every
; cell that is met is a node.
; expect: safe
; engines: heaps joined-heaps
; ticks: 1500000
(set-logic HORN)
(declare-datatypes ((object 0)) (((number (get_number Int)) (a_node (next Int)) (nothing))))
(declare-datatypes ((heap 0)) (((heap (size Int) (cells (Array Int object))))))
(declare-fun build (heap Int) Bool)
(declare-fun fresh (heap Int Int) Bool)
(declare-fun walk (heap Int) Bool)
(define-fun at ((h heap) (p Int)) object (ite (and (> p 0) (<= p (size h))) (select (cells h) p) nothing))
(assert (build (heap 0 ((as const (Array Int object)) nothing)) 0))
(assert (forall ((h heap) (l Int) (n Int))
  (=> (build h l) (build (heap (+ (size h) 1) (store (cells h) (+ (size h) 1) (number n))) l))))
(assert (forall ((h heap) (l Int) (g Int))
  (=> (build h l) (fresh (heap (+ (size h) 1) (store (cells h) (+ (size h) 1) (a_node g))) l (+ (size h) 1)))))
(assert (forall ((h heap) (l Int) (p Int))
  (=> (and (fresh h l p) ((_ is a_node) (at h p))) (build (heap (size h) (store (cells h) p (a_node l))) p))))
(assert (forall ((h heap) (l Int)) (=> (build h l) (walk h l))))
(assert (forall ((h heap) (l Int))
  (=> (and (walk h l) (distinct l 0) ((_ is a_node) (at h l))) (walk h (next (at h l))))))
(assert (forall ((h heap) (l Int) (p Int)) (=> (and (fresh h l p) (not ((_ is a_node) (at h p)))) false)))
(assert (forall ((h heap) (l Int)) (=> (and (walk h l) (distinct l 0) (not ((_ is a_node) (at h l)))) false)))
(check-sat)
