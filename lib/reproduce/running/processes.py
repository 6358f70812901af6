"""What the processes that a command starts hear of the signals that tell it to stop."""

import signal
from multiprocessing.resource_tracker import ensure_running

STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def start_tracker() -> None:
    """Start the process in which Python keeps account of what processes share, deaf to a terminal that is closed.

    It ignores the other two signals by itself. Killed by the third it would be started anew, knowing nothing, and print
    a traceback for each thing that it is then told to forget.
    """
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        ensure_running()
    finally:
        signal.signal(signal.SIGHUP, before)
