//! The operator table of a number type.
//!
//! A type states each operation twice, by reference and in place; the table derives
//! the owned and mixed forms the operators of Rust ask for. Owned left operands go
//! through the in-place form, so that a chain of additions reuses one buffer.

/// Implements one binary operator and its assigning form for all ownership mixes.
macro_rules! operator {
    ($(#[$attribute:meta])* $type:ident, $trait:ident::$op:ident, $by_ref:ident,
     $assign_trait:ident::$assign_op:ident, $in_place:ident) => {
        $(#[$attribute])*
        impl std::ops::$trait<&$type> for &$type {
            type Output = $type;
            #[inline]
            fn $op(self, rhs: &$type) -> $type {
                $type::$by_ref(self, rhs)
            }
        }

        $(#[$attribute])*
        impl std::ops::$trait<$type> for &$type {
            type Output = $type;
            #[inline]
            fn $op(self, rhs: $type) -> $type {
                $type::$by_ref(self, &rhs)
            }
        }

        $(#[$attribute])*
        impl std::ops::$trait<&$type> for $type {
            type Output = $type;
            #[inline]
            fn $op(mut self, rhs: &$type) -> $type {
                $type::$in_place(&mut self, rhs);
                self
            }
        }

        $(#[$attribute])*
        impl std::ops::$trait<$type> for $type {
            type Output = $type;
            #[inline]
            fn $op(mut self, rhs: $type) -> $type {
                $type::$in_place(&mut self, &rhs);
                self
            }
        }

        $(#[$attribute])*
        impl std::ops::$assign_trait<&$type> for $type {
            #[inline]
            fn $assign_op(&mut self, rhs: &$type) {
                $type::$in_place(self, rhs);
            }
        }

        $(#[$attribute])*
        impl std::ops::$assign_trait<$type> for $type {
            #[inline]
            fn $assign_op(&mut self, rhs: $type) {
                $type::$in_place(self, &rhs);
            }
        }
    };
}
