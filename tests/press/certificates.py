"""A certificate and its key for a Dask cluster of a test: who does not hold them can neither ask nor tell it."""

from pathlib import Path

from distributed import Security

CERTIFICATE, KEY = "certificate.pem", "key.pem"


def certificates(folder: Path) -> dict[str, str]:
    """A new certificate and its key, in two files of a folder, as Dask's configuration names them for a client."""
    made = Security.temporary()
    certificate, key = folder / CERTIFICATE, folder / KEY
    certificate.write_text(made.tls_ca_file)
    key.write_text(made.tls_client_key)
    return {"ca-file": str(certificate), "client.cert": str(certificate), "client.key": str(key)}
