"""A cache in an object store: moto's server, which speaks like Amazon S3 (``pip install moto[server]``). ``cargo xtask ray`` runs it."""

import json
import os
import subprocess
import tempfile
import unittest
import urllib.request
from pathlib import Path
from typing import Any, List, Tuple

import echis

try:
    from moto.server import ThreadedMotoServer
except ImportError:
    raise unittest.SkipTest("moto is not installed: `pip install moto[server]`") from None

PROGRAM = """\
function one(): Int ensures result > 0 { 1 }
method good() { assert one() > 0 }
method bad() { assert one() > 1 + one() }
"""


class InAnObjectStore(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        cls.server.start()
        host, port = cls.server.get_host_and_port()
        cls.endpoint = f"http://{host}:{port}"
        cls.request("PUT", "/proofs")
        cls.folder = tempfile.TemporaryDirectory(prefix="echis-store-")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.stop()
        cls.folder.cleanup()

    @classmethod
    def request(cls, method: str, path: str, body: bytes = b"") -> bytes:
        authorization = "AWS4-HMAC-SHA256 Credential=somebody/20260101/us-east-1/s3/aws4_request"
        headers = {"Authorization": authorization, "Content-Type": "application/octet-stream"}
        asked = urllib.request.Request(cls.endpoint + path, data=body or None, method=method, headers=headers)
        with urllib.request.urlopen(asked, timeout=60) as answer:
            found: bytes = answer.read()
            return found

    def objects(self) -> List[str]:
        import re

        listing = self.request("GET", "/proofs?list-type=2").decode()
        return re.findall(r"<Key>([^<]*)</Key>", listing)

    def verify(self, own: str, key: str) -> Tuple[int, int]:
        """The number of cached members, and the exit code."""
        program = Path(self.folder.name) / "program.vpr"
        program.write_text(PROGRAM)
        variables = {
            "ECHIS_CACHE": str(Path(self.folder.name) / own),
            "ECHIS_CACHE_KEY": key,
            "AWS_ENDPOINT": self.endpoint,
            "AWS_ALLOW_HTTP": "true",
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "somebody",
            "AWS_SECRET_ACCESS_KEY": "something",
        }
        command = [str(echis.executable()), "verify", "--format", "json", "--cache-url", "s3://proofs/echis", str(program)]
        run = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **variables}, timeout=300)
        if "built without object stores" in run.stderr:
            self.skipTest("this build of Echis has no object stores: `cargo build --features object-store`")
        self.assertTrue(run.stdout, run.stderr)
        document: Any = json.loads(run.stdout)
        members = document["files"][0]["members"]
        return sum(1 for member in members if member.get("cached")), run.returncode

    def test_machines_share_proofs_and_believe_only_signed_ones(self) -> None:
        self.assertEqual(self.verify("first", "secret"), (0, 1))
        names = self.objects()
        self.assertGreaterEqual(len(names), 3)
        self.assertTrue(all(name.startswith("echis/") for name in names), names)
        # Another machine without a local cache.
        self.assertEqual(self.verify("second", "secret"), (3, 1))
        self.assertEqual(self.verify("third", "another"), (0, 1))
        # That run signed the entries again; corrupt them now.
        self.assertEqual(self.verify("fourth", "another"), (3, 1))
        for name in names:
            body = self.request("GET", f"/proofs/{name}")
            self.request("PUT", f"/proofs/{name}", body[:-9] + b"poisoned!")
        self.assertEqual(self.verify("fifth", "another"), (0, 1))
        # Swap the proofs.
        bodies = [self.request("GET", f"/proofs/{name}") for name in names]
        for name, body in zip(names, bodies[1:] + bodies[:1]):
            self.request("PUT", f"/proofs/{name}", body)
        self.assertEqual(self.verify("sixth", "another"), (0, 1))


if __name__ == "__main__":
    unittest.main()
