//! The pigeonhole principle as a script: easy to state, and hard to refute by resolution.

/// Declarations and assertions: one pigeon more than holes, as truth values.
pub fn pigeons(holes: usize) -> String {
    let sits = |pigeon: usize, hole: usize| format!("s{pigeon}_{hole}");
    let mut text = String::new();
    for pigeon in 0..=holes {
        let places: Vec<String> = (0..holes).map(|hole| sits(pigeon, hole)).collect();
        text.extend(places.iter().map(|place| format!("(declare-const {place} Bool)")));
        text.push_str(&format!("(assert (or {}))", places.join(" ")));
        for hole in 0..holes {
            for other in 0..pigeon {
                let both = format!("(and {} {})", sits(pigeon, hole), sits(other, hole));
                text.push_str(&format!("(assert (not {both}))"));
            }
        }
    }
    text
}
