//! Declares the kinds of syntax nodes from a single table.

/// Declares the kinds of a syntax node in rows: a variant, its fields in traversal order, and the row's value. Fields
/// of tuple variants are named here too, for use in the row; the name after `as` is the field's label.
///
/// `each_field` visits the fields as `Parts`, a trait of the declaring crate, in which every field type lists its
/// components. No traversal can therefore miss a field. With the prefix `copied by Copier;`, `copied` rebuilds the
/// node from a copy of each field, made through the trait `Copied`.
#[macro_export]
macro_rules! kinds {
    (copied by $Copier:ident; $($rows:tt)*) => {
        $crate::kinds!(@declare $($rows)*);
        $crate::kinds!(@copy $Copier $($rows)*);
    };
    (@declare
        $(#[$meta:meta])*
        pub enum $Kind:ident: $Row:ty {
            $(
                $(#[$doc:meta])*
                $Variant:ident
                $( ( $( $item:ident : $Item:ty ),* ) )?
                $( { $( $field:ident $(as $label:literal)? : $Field:ty ),* $(,)? } )?
                = $row:expr;
            )*
        }
    ) => {
        $(#[$meta])*
        pub enum $Kind {
            $( $(#[$doc])* $Variant $( ( $( $Item ),* ) )? $( { $( $field: $Field ),* } )?, )*
        }
        impl $Kind {
            /// The row's value for this kind.
            pub fn row(&self) -> $Row {
                match self { $( $Kind::$Variant { .. } => $row, )* }
            }
            /// Visits the fields in order, each with its label.
            pub fn each_field<'a>(&'a self, visit: &mut dyn FnMut(&'static str, &'a dyn Parts)) {
                let _ = &visit;
                match self {
                    $( $Kind::$Variant $( ( $( $item ),* ) )? $( { $( $field ),* } )? => {
                        $( $( visit("", $item); )* )?
                        $( $( visit(concat!($($label)?), $field); )* )?
                    } )*
                }
            }
            pub fn each_field_mut<'a>(&'a mut self, visit: &mut dyn FnMut(&'a mut dyn Parts)) {
                let _ = &visit;
                match self {
                    $( $Kind::$Variant $( ( $( $item ),* ) )? $( { $( $field ),* } )? => {
                        $( $( visit($item); )* )?
                        $( $( visit($field); )* )?
                    } )*
                }
            }
        }
    };
    (@copy $Copier:ident
        $(#[$meta:meta])*
        pub enum $Kind:ident: $Row:ty {
            $(
                $(#[$doc:meta])*
                $Variant:ident
                $( ( $( $item:ident : $Item:ty ),* ) )?
                $( { $( $field:ident $(as $label:literal)? : $Field:ty ),* $(,)? } )?
                = $row:expr;
            )*
        }
    ) => {
        impl $Kind {
            /// Rebuilds the node from copies of its fields, made in field order.
            pub fn copied<C: $Copier>(&self, copier: &mut C) -> Result<Self, C::Problem> {
                let _ = &copier;
                Ok(match self {
                    $( $Kind::$Variant $( ( $( $item ),* ) )? $( { $( $field ),* } )? => {
                        $Kind::$Variant
                        $( ( $( Copied::copied($item, copier)? ),* ) )?
                        $( { $( $field: Copied::copied($field, copier)? ),* } )?
                    } )*
                })
            }
        }
    };
    ($($rows:tt)*) => { $crate::kinds!(@declare $($rows)*); };
}
