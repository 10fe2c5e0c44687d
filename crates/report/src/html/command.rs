//! Commands as a shell reads them.

/// Words as a line for a shell: those with special characters are quoted.
pub fn shell(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| quote(word)).collect();
    quoted.join(" ")
}

fn quote(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_shells_would_split_them() {
        assert_eq!(shell(&["alphorn", "a b.smt2", "--out=x"]), "alphorn 'a b.smt2' --out=x");
        assert_eq!(shell(&["it's", "", "$(rm)", "a;b"]), "'it'\\''s' '' '$(rm)' 'a;b'");
    }
}
