//! Kinds of syntax nodes, described once.

/// Declares the kinds of a syntax node in rows: a variant, its fields in the order in which they are gone through, and what
/// else the row says. Fields of variants without braces have names too, for the sake of the description; what a field is
/// called behind `as` is its label.
///
/// `each_field` goes over the fields as `Parts`, which is a trait of the crate that declares the kinds: each type that a field can
/// have says there what it is made of. So no walk over nodes can forget a field. With `copied by Copier;` in front, `copied`
/// makes the same node with a copy of each field, by the trait `Copied`.
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
            /// What the description says of this kind.
            pub fn row(&self) -> $Row {
                match self { $( $Kind::$Variant { .. } => $row, )* }
            }
            /// The fields in order, each with its label.
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
            /// The node with a copy of each field, made in their order.
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
