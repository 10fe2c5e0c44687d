//! Evidence as text: what is written is read as the same data, and damaged texts do no harm.

mod circuit;
mod damage;
mod horn;
mod terms;
mod words;
