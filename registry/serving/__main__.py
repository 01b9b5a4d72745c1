"""``python -m registry.serving`` serves the site with Granian, until it is asked to stop."""

import argparse
import gc
import logging
import multiprocessing
import os
import resource
import socket
import sys
from importlib import import_module

from django.conf import settings
from django.db import DatabaseError, connections
from django.test import RequestFactory
from granian._granian import SocketHolder
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.server.mp import MPServer

from registry.core.env import require_settings
from registry.core.kept import kept_answers

logger = logging.getLogger(__name__)

#: For the connection itself, and the file that is sent over it.
_FILES_A_CONNECTION = 2
#: Files that a process has open besides connections and bodies: the database, logs, what is being answered.
_OTHER_FILES = 256
#: The buffer of each connection, in and out: slow ones hold it in memory.
_BUFFER_BYTES = 65_536
#: The system's buffer for sending: enough for a megabyte in a tenth of a second.
_SENT_BYTES = 131_072
_TAKING_SECONDS = 60
_STOP_SECONDS = 3


def main() -> None:
    """Serve at the address of the command line."""
    parser = argparse.ArgumentParser(prog="python -m registry.serving", description="Serve the site.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8000, help="port to listen on (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=1, help="processes that answer (default: %(default)s)")
    parser.add_argument("--application", default="registry.rsgi:application", help=argparse.SUPPRESS)
    options = parser.parse_args()
    address = number_of(options.host)
    # From these the settings guess the name of the site.
    os.environ["HOST"], os.environ["PORT"] = options.host, str(options.port)
    require_settings()
    refuse_taken(address, options.port)
    from registry.core.metrics import begin_counting  # Needs the settings.

    begin_counting()
    # Loaded before this process forks: the others share it, and one that died is replaced within a moment.
    if sys.platform == "linux":
        multiprocessing.set_start_method("fork")
    import_module(options.application.partition(":")[0])
    kept_answers.forget_others()
    load_pages()
    _Server(
        options.application,
        address=address,
        port=options.port,
        workers=options.workers,
        interface=Interfaces.RSGI,
        # No HTTP/2: without encryption no browser speaks it, and its headers have no time limit.
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(
            header_read_timeout=1000 * settings.PLUMBLINE_HEADER_SECONDS, max_buffer_size=_BUFFER_BYTES
        ),
        websockets=False,
        backpressure=allow_connections(settings.PLUMBLINE_MAX_CONNECTIONS),
        respawn_failed_workers=True,
        log_dictconfig={"formatters": dict.fromkeys(("generic", "access"), settings.LOGGING["formatters"]["plain"])},
        workers_kill_timeout=_STOP_SECONDS,
    ).serve()


def load_pages() -> None:
    """Show one page of each kind, once: what that loads is there for all processes that are made of this one."""
    from registry.core.queries import failing_pages  # Needs the settings.

    import_module("scipy.stats")  # Some statistics import it at their first use.
    try:
        failing_pages(RequestFactory(SERVER_NAME=settings.OWN_HOST).get("/"))
    except DatabaseError as error:
        logger.warning("pages are loaded when they are asked for: %s", error)
    connections.close_all()
    gc.collect()
    gc.freeze()


class _Server(MPServer):
    """Granian, listening at a socket of ours, whose options its connections have from it."""

    def _init_shared_socket(self) -> None:
        family = socket.AF_INET6 if ":" in self.bind_addr else socket.AF_INET
        self._sso = socket.create_server((self.bind_addr, self.bind_port), family=family, backlog=self.backlog)
        self._sso.set_inheritable(True)
        # The system buffers so much that is not taken yet, and drops connections that take nothing.
        self._sso.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SENT_BYTES)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            self._sso.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * _TAKING_SECONDS)
        self._ssp = None
        self._shd = SocketHolder(self._sso.fileno(), False, self.backlog)  # type: ignore[call-arg, assignment]


def number_of(host: str) -> str:
    """Return the address of a host by number, as Granian wants it; of several an IPv4 one, which everybody tries."""
    try:
        entries = socket.getaddrinfo(host, None)
    except OSError as error:
        sys.exit(f"--host {host} is no address of this machine: {error.strerror}.")
    *_, (number, *_) = min(entries, key=lambda entry: entry[0] != socket.AF_INET)
    return str(number)


def refuse_taken(address: str, port: int) -> None:
    """Refuse a port that another server has: Granian would share it, and visitors would hear from either."""
    try:
        with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((address, port))
    except (OSError, OverflowError) as error:
        sys.exit(f"Port {port} of {address} cannot be had: {getattr(error, 'strerror', error)}.")


def allow_connections(wanted: int) -> int:
    """Return how many connections may come: as many as wanted, or as the process may have open files for."""
    others: int = settings.PLUMBLINE_MAX_OPEN_BODIES + _OTHER_FILES
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    now, most = (sys.maxsize if limit == resource.RLIM_INFINITY else limit for limit in limits)
    needed = _FILES_A_CONNECTION * wanted + others
    if now < needed:
        now = min(needed, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (now, limits[1]))
    return max(min(wanted, (now - others) // _FILES_A_CONNECTION), 1)


if __name__ == "__main__":
    main()
