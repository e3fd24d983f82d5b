"""What earlier runs have measured, method by method, in a file of JSON lines, so that a run that was stopped can go on."""

import hashlib
import json
import os
from pathlib import Path

from frame import CONCLAVE

FILE = Path(os.environ.get("PEERS_KEPT", "target/peers-all.jsonl"))


class Kept:
    """The lines of each method, of the same program and the same options: its first line says which. Another run starts again."""

    def __init__(self, options, fresh):
        self.methods, self.seconds = {}, {}
        head = {"program": hashlib.sha256(Path(CONCLAVE).read_bytes()).hexdigest()} | options
        try:
            lines = [] if fresh else [json.loads(line) for line in FILE.read_text().splitlines()]
        except (FileNotFoundError, json.JSONDecodeError):
            lines = []
        if lines[:1] == [head]:
            for line in lines[1:]:
                self.methods[line["method"]], self.seconds[line["method"]] = line["lines"], line["cpu_seconds"]
        else:
            FILE.parent.mkdir(exist_ok=True)
            FILE.write_text(json.dumps(head) + "\n")

    def __contains__(self, method):
        return method in self.methods

    def __getitem__(self, method):
        return self.methods[method]

    def add(self, method, lines, cpu_seconds):
        self.methods[method], self.seconds[method] = lines, cpu_seconds
        with FILE.open("a") as file:
            file.write(json.dumps({"method": method, "lines": lines, "cpu_seconds": cpu_seconds}) + "\n")

    def cpu_seconds(self, methods):
        return sum(self.seconds[method] for method in methods)
