//! Where a broker is, and who we are there: `nats://[USER:PASSWORD@|TOKEN@]HOST[:PORT]`, or `tls://…`.

use std::fmt;

/// The port of NATS.
const PORT: u16 = 4222;

/// The address of a broker.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    /// The machine.
    pub host: String,
    /// The port.
    pub port: u16,
    /// What proves who we are.
    pub secret: Secret,
    /// Whether nothing may be said that is not encrypted.
    pub wants_tls: bool,
    /// The files of certificates.
    pub certificates: Certificates,
}

/// Files of certificates in PEM, for servers with TLS.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Certificates {
    /// The authorities that are believed; those of the system if not given.
    pub authority: Option<String>,
    /// Our own, and its key, for servers that want one.
    pub own: Option<(String, String)>,
}

/// What proves who we are.
#[derive(Clone, PartialEq, Eq, Default)]
pub enum Secret {
    /// Nothing.
    #[default]
    None,
    /// A name and a password.
    User(String, String),
    /// A token.
    Token(String),
}

/// Why a text is no address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressError(pub String);

impl fmt::Debug for Address {
    /// Without the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.wants_tls { "tls" } else { "nats" };
        write!(f, "{scheme}://{}:{}", self.host, self.port)
    }
}

impl Address {
    /// The address that a text is. What it does not say about us is what `variable` says: `ALPHORN_NATS_USER` and
    /// `ALPHORN_NATS_PASSWORD`, or `ALPHORN_NATS_TOKEN`; files of certificates are `ALPHORN_NATS_CA`, `ALPHORN_NATS_CERT` and
    /// `ALPHORN_NATS_KEY`.
    pub fn read(
        text: &str,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Address, AddressError> {
        let wrong = |why: &str| Err(AddressError(why.to_owned()));
        let (wants_tls, rest) = match text.split_once("://") {
            Some(("nats", rest)) => (false, rest),
            Some(("tls", rest)) => (true, rest),
            Some(("ws" | "wss", _)) => return wrong("only nats:// and tls:// are treated"),
            Some(_) => return wrong("an address is nats://HOST:PORT"),
            None => (false, text),
        };
        let (secret, place) = match rest.rsplit_once('@') {
            None => (None, rest),
            Some((secret, place)) => (Some(secret), place),
        };
        let place = place.trim_end_matches('/');
        let (host, port) = match place.rsplit_once(':') {
            // An address of version 6 has colons of its own, and stands in brackets.
            Some((host, port)) if !port.contains(']') => match port.parse() {
                Ok(port) => (host, port),
                Err(_) => return wrong("the port is no number from 0 to 65535"),
            },
            _ => (place, PORT),
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        if host.is_empty() || host.contains(['/', ' ']) {
            return wrong("an address is nats://HOST:PORT");
        }
        let secret = match secret {
            Some(secret) => match secret.split_once(':') {
                Some((user, password)) => Secret::User(user.to_owned(), password.to_owned()),
                None => Secret::Token(secret.to_owned()),
            },
            None => match (variable("ALPHORN_NATS_TOKEN"), variable("ALPHORN_NATS_USER")) {
                (Some(token), _) => Secret::Token(token),
                (None, Some(user)) => {
                    Secret::User(user, variable("ALPHORN_NATS_PASSWORD").unwrap_or_default())
                }
                (None, None) => Secret::None,
            },
        };
        let certificates = Certificates {
            authority: variable("ALPHORN_NATS_CA"),
            own: variable("ALPHORN_NATS_CERT").zip(variable("ALPHORN_NATS_KEY")),
        };
        Ok(Address { host: host.to_owned(), port, secret, wants_tls, certificates })
    }
}

#[cfg(test)]
mod tests {
    use super::{Address, Secret};

    fn read(text: &str) -> Result<Address, String> {
        Address::read(text, |_| None).map_err(|error| error.0)
    }

    #[test]
    fn addresses_have_hosts_ports_and_secrets() {
        let address = read("nats://me:se:cret@10.0.0.1:99").expect("it is one");
        assert_eq!((address.host.as_str(), address.port), ("10.0.0.1", 99));
        assert!(address.secret == Secret::User("me".to_owned(), "se:cret".to_owned()));
        assert_eq!(format!("{address:?}"), "nats://10.0.0.1:99");
        assert_eq!(
            read("host").map(|address| (address.port, address.wants_tls)),
            Ok((4222, false))
        );
        assert_eq!(
            read("tls://host").map(|a| (format!("{a:?}"), a.wants_tls)),
            Ok(("tls://host:4222".to_owned(), true))
        );
        assert_eq!(read("nats://[::1]:5/").map(|a| (a.host, a.port)), Ok(("::1".to_owned(), 5)));
        assert_eq!(read("nats://[::1]").map(|a| (a.host, a.port)), Ok(("::1".to_owned(), 4222)));
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in
            ["wss://host", "http://host", "nats://", "nats://host:x", "nats://host:70000", "a b"]
        {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn secrets_come_from_the_environment_too() {
        let of = |name: &str| (name == "ALPHORN_NATS_TOKEN").then(|| "t".to_owned());
        let address = Address::read("nats://host", of).expect("it is one");
        assert!(address.secret == Secret::Token("t".to_owned()));
    }
}
