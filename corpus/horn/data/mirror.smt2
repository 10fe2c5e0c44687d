; A tree and its mirror image have as many nodes, and negating the colours twice changes nothing about
; that; several datatypes that contain one another.
; expect: safe
; engines: folds
(set-logic HORN)
(declare-datatypes ((Colour 0)) (((red) (green))))
(declare-datatypes ((Tree 0)) (((leaf) (node (left Tree) (colour Colour) (right Tree)))))
(declare-fun other (Colour Colour) Bool)
(declare-fun mirror (Tree Tree) Bool)
(declare-fun size (Tree Int) Bool)
(assert (other red green))
(assert (other green red))
(assert (mirror leaf leaf))
(assert (forall ((a Tree) (b Tree) (c Tree) (d Tree) (x Colour) (y Colour))
  (=> (and (mirror a c) (mirror b d) (other x y)) (mirror (node a x b) (node d y c)))))
(assert (size leaf 0))
(assert (forall ((a Tree) (b Tree) (x Colour) (m Int) (n Int))
  (=> (and (size a m) (size b n)) (size (node a x b) (+ m n 1)))))
(assert (forall ((a Tree) (b Tree) (c Tree) (m Int) (n Int))
  (=> (and (mirror a b) (mirror b c) (size a m) (size c n)) (= m n))))
(check-sat)
