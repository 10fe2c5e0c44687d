//! The bytes between us and a broker: as they are, or in TLS (feature `tls`).
//!
//! A server that wants TLS says so in its first line, which is not encrypted; everything behind it is. Its certificate must be
//! one of a host of this name by an authority that the system knows, or by one in the file `ALPHORN_NATS_CA`; there is no way
//! to go without. A server that wants a certificate of ours gets the one of `ALPHORN_NATS_CERT` and `ALPHORN_NATS_KEY`.

use super::address::Address;
use std::io::{self, Read, Write};
use std::net::TcpStream;

/// A connection's bytes.
#[derive(Debug)]
pub(super) enum Stream {
    /// As they are.
    Plain(TcpStream),
    /// In TLS.
    #[cfg(feature = "tls")]
    Tls(Box<rustls::StreamOwned<rustls::ClientConnection, TcpStream>>),
}

impl Read for Stream {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self {
            Stream::Plain(stream) => stream.read(bytes),
            #[cfg(feature = "tls")]
            Stream::Tls(stream) => stream.read(bytes),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Stream::Plain(stream) => stream.write(bytes),
            #[cfg(feature = "tls")]
            Stream::Tls(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Stream::Plain(stream) => stream.flush(),
            #[cfg(feature = "tls")]
            Stream::Tls(stream) => stream.flush(),
        }
    }
}

/// A stream that can go over to TLS after the server's first line.
pub(super) trait Upgrade: Read + Write + Sized {
    /// The same connection, encrypted; an error where the server is not who it says.
    fn upgrade(self, address: &Address) -> io::Result<Self>;
}

#[cfg(not(feature = "tls"))]
impl Upgrade for Stream {
    fn upgrade(self, _: &Address) -> io::Result<Stream> {
        let why = "TLS is asked for, and this program was built without it (feature `tls`)";
        Err(io::Error::new(io::ErrorKind::PermissionDenied, why))
    }
}

#[cfg(feature = "tls")]
impl Upgrade for Stream {
    fn upgrade(self, address: &Address) -> io::Result<Stream> {
        match self {
            Stream::Plain(stream) => tls::begin(stream, address).map(Stream::Tls),
            done @ Stream::Tls(_) => Ok(done),
        }
    }
}

#[cfg(feature = "tls")]
mod tls {
    use super::Address;
    use rustls::crypto::ring;
    use rustls::pki_types::pem::PemObject;
    use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
    use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
    use std::io::{self, ErrorKind};
    use std::net::TcpStream;
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    /// How long two parties may take to agree.
    const TIMEOUT: Duration = Duration::from_secs(5);

    fn denied(why: impl std::fmt::Display) -> io::Error {
        io::Error::new(ErrorKind::PermissionDenied, format!("no TLS with the server: {why}"))
    }

    fn certificates(path: &str) -> io::Result<Vec<CertificateDer<'static>>> {
        let read = CertificateDer::pem_file_iter(path).and_then(Iterator::collect);
        let all: Vec<_> = read.map_err(|error| denied(format!("{path}: {error}")))?;
        match all.is_empty() {
            true => Err(denied(format!("{path} has no certificate"))),
            false => Ok(all),
        }
    }

    /// Whom we believe, and who we are.
    fn config(address: &Address) -> io::Result<ClientConfig> {
        let mut roots = RootCertStore::empty();
        match &address.certificates.authority {
            Some(path) => {
                for certificate in certificates(path)? {
                    roots.add(certificate).map_err(denied)?;
                }
            }
            None => {
                let system = rustls_native_certs::load_native_certs().certs;
                roots.add_parsable_certificates(system);
            }
        }
        let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(denied)?
            .with_root_certificates(roots);
        match &address.certificates.own {
            None => Ok(builder.with_no_client_auth()),
            Some((certificate, key)) => {
                let own = certificates(certificate)?;
                let key = PrivateKeyDer::from_pem_file(key)
                    .map_err(|error| denied(format!("{key}: {error}")))?;
                builder.with_client_auth_cert(own, key).map_err(denied)
            }
        }
    }

    /// Goes over to TLS on a stream whose reads return soon.
    pub(super) fn begin(
        mut stream: TcpStream,
        address: &Address,
    ) -> io::Result<Box<StreamOwned<ClientConnection, TcpStream>>> {
        let name = ServerName::try_from(address.host.clone()).map_err(denied)?;
        let mut client = ClientConnection::new(Arc::new(config(address)?), name).map_err(denied)?;
        let ends = Instant::now() + TIMEOUT;
        while client.is_handshaking() {
            match client.complete_io(&mut stream) {
                Ok(_) => {}
                Err(error)
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
                        && Instant::now() < ends => {}
                Err(error) => return Err(denied(error)),
            }
        }
        Ok(Box::new(StreamOwned::new(client, stream)))
    }
}
