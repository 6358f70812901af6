"""A certificate and its key for one sweep on this machine: who does not hold them can neither ask nor tell its cluster.

Scheduler, workers and client show the same certificate, and each accepts that one alone.
"""

from pathlib import Path

from distributed import Security

from reproduce.errors import writing

CERTIFICATE, KEY = "certificate.pem", "key.pem"


def credentials(folder: Path) -> Security:
    """A new certificate, in two files of a folder that this user alone can read."""
    certificate, key = folder / CERTIFICATE, folder / KEY
    made = Security.temporary()
    with writing(folder):
        certificate.write_text(made.tls_ca_file)
        key.write_text(made.tls_client_key)
    roles = {f"tls_{role}_cert": str(certificate) for role in ("client", "scheduler", "worker")}
    keys = {f"tls_{role}_key": str(key) for role in ("client", "scheduler", "worker")}
    return Security(require_encryption=True, tls_ca_file=str(certificate), **roles, **keys)
