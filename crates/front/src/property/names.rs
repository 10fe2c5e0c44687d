//! Names of properties, and of groups of them.

use super::{Untreated, Wanted};
use alphorn_program::c::Property;

/// A name for several properties.
pub struct Group {
    /// The name.
    pub name: &'static str,
    /// The properties.
    pub members: &'static [Property],
}

/// All groups.
pub const GROUPS: &[Group] = &[
    Group { name: "assertions", members: &[Property::UnreachCall, Property::Assert] },
    Group {
        name: "valid-memsafety",
        members: &[Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack],
    },
    Group { name: "all", members: &Property::ALL },
];

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// Properties.
    Known(Vec<Wanted>),
    /// Nothing; but this name is much like it, if there is one.
    Unknown(Option<&'static str>),
}

/// The properties of a name.
pub fn named(name: &str) -> Named {
    if let Some(property) = Property::ALL.into_iter().find(|property| property.name() == name) {
        return Named::Known(vec![Wanted::Treated(property)]);
    }
    if let Some(group) = GROUPS.iter().find(|group| group.name == name) {
        return Named::Known(group.members.iter().copied().map(Wanted::Treated).collect());
    }
    if let Some(later) = Untreated::ALL.into_iter().find(|property| property.name() == name) {
        return Named::Known(vec![Wanted::Untreated(later)]);
    }
    let own = Property::ALL.into_iter().map(Property::name);
    let others = GROUPS.iter().map(|group| group.name);
    let later = Untreated::ALL.into_iter().map(Untreated::name);
    let is_like = |other: &&str| {
        let plain = |text: &str| -> String {
            text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase()
        };
        let (asked, other) = (plain(name), plain(other));
        !asked.is_empty() && (other.contains(&asked) || asked.contains(&other))
    };
    Named::Unknown(own.chain(others).chain(later).find(is_like))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_and_groups_have_names() {
        for property in Property::ALL {
            assert_eq!(named(property.name()), Named::Known(vec![Wanted::Treated(property)]));
        }
        let Named::Known(members) = named("valid-memsafety") else { panic!("it is a group") };
        let names: Vec<Wanted> =
            [Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack]
                .map(Wanted::Treated)
                .to_vec();
        assert_eq!(members, names);
        let end = Named::Known(vec![Wanted::Untreated(Untreated::Termination)]);
        assert_eq!(named("termination"), end);
    }

    #[test]
    fn a_name_that_is_nearly_right_is_suggested() {
        assert_eq!(named("overflow"), Named::Unknown(Some("no-overflow")));
        assert_eq!(named("unreach_call"), Named::Unknown(Some("unreach-call")));
        assert_eq!(named("xyz"), Named::Unknown(None));
        assert_eq!(named(""), Named::Unknown(None));
    }
}
