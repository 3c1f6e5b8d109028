"""Whether one download server answers with a file: asked for its head only, and a page for people is no answer."""

import http.client
import queue
import ssl
import urllib.error
import urllib.request
from urllib.parse import urlsplit

from lessonkit.system.private import without_secrets

# A file that is not there, or not for us; any other status is at least an answer (some servers know no HEAD).
NOT_SERVED = {401, 403, 404, 410, 500, 502, 503, 504}
PAGES = "a web page in place of the file", "an answer that is not encrypted"  # what a proxy or a log-in sends


def ask(url: str, budget: float, answer: queue.SimpleQueue) -> None:
    """Put None into `answer` when the server answers within `budget` seconds, why not when it fails."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, method="HEAD"), timeout=budget) as head:
            answer.put(PAGES[0] if head.headers.get_content_type() == "text/html" else None)
    except urllib.error.HTTPError as error:
        with error:
            answer.put(f"HTTP status {error.code}" if error.code in NOT_SERVED else None)
    except (OSError, ValueError, http.client.HTTPException) as error:
        why = getattr(error, "reason", error)
        plain = isinstance(why, ssl.SSLError) and not isinstance(why, ssl.SSLCertVerificationError)
        answer.put(PAGES[1] if plain else without_secrets(str(why)) or type(error).__name__)


def host_of(url: str) -> str:
    """Return the server's name, as it stands in sentences: without a log-in."""
    return urlsplit(url).netloc.rpartition("@")[2]
