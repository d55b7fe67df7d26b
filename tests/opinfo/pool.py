"""Runs requests in worker processes, and outlives those that crash or take too long."""

import json
import queue
import select
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).parents[2]
_START = 120.0


class _Worker:
    """One process; `ask` gives its answer, or a fault where it dies or is stopped."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None

    def ask(self, request: dict[str, Any], timeout: float) -> dict[str, Any]:
        if self.process is None:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.opinfo.worker"],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            if self._line(_START) is None:
                return self._fault("the process does not start")
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self._line(timeout)
        if line is None:
            return self._fault(f"no answer within {timeout:.0f} s")
        return json.loads(line) if line else self._fault(f"the process died with {self.process.wait()}")

    def _line(self, timeout: float) -> str | None:
        """The next line; empty at the end of the output, None if there is none in time."""
        assert self.process is not None and self.process.stdout is not None
        stream: IO[str] = self.process.stdout
        ready, _, _ = select.select([stream], [], [], timeout)
        return stream.readline() if ready else None

    def _fault(self, reason: str) -> dict[str, Any]:
        self.stop()
        return {"dtype": None, "outcomes": [], "seconds": 0.0, "fault": reason}

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


def answers(
    requests: Sequence[dict[str, Any]], processes: int, timeout: float, lifetime: int = 80
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Each request with its answer, as they come. A process is renewed after `lifetime` requests: its caches grow."""
    waiting: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    for request in requests:
        waiting.put(request)
    done: queue.SimpleQueue[tuple[dict[str, Any], dict[str, Any]]] = queue.SimpleQueue()
    threads = [
        threading.Thread(target=_serve, args=(waiting, done, timeout, lifetime), daemon=True) for _ in range(processes)
    ]
    for thread in threads:
        thread.start()
    for _ in requests:
        yield done.get()
    for thread in threads:
        thread.join()


def _serve(waiting: Any, done: Any, timeout: float, lifetime: int) -> None:
    worker = _Worker()
    for count in range(sys.maxsize):
        try:
            request = waiting.get_nowait()
        except queue.Empty:
            break
        if count and count % lifetime == 0:
            worker.stop()
        done.put((request, worker.ask(request, timeout)))
    worker.stop()
