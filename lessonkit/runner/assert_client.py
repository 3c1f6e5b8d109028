"""Execute the asserts of a cell in the kernel of its notebook, by a client that the notebook does not see."""

from jupyter_client.asynchronous import AsyncKernelClient
from jupyter_client.manager import AsyncKernelManager

from lessonkit.notebook import asserts

UNSEEN = {"silent": True, "store_history": False, "allow_stdin": False}  # no output, and no number of its own


class AssertClient:
    """A second client of the kernel of `km`; it connects when there is something to execute."""

    def __init__(self, km: AsyncKernelManager):
        self._km = km
        self._client: AsyncKernelClient | None = None

    async def first_broken(self, code: str, *, limit: float) -> str | None:
        """Return which assert of `code` fails first, and with what; None where all hold.

        Raises TimeoutError for one that takes more than `limit` seconds.
        """
        for statement in asserts.statements(code):
            reply = await self._connected().execute(statement, **UNSEEN, reply=True, timeout=limit)
            if (said := reply["content"])["status"] != "ok":
                error = f"{said.get('ename', 'no reply')}: {said.get('evalue', '')}".rstrip(": ")
                return f"after it must hold `{' '.join(statement.split())}`: {error}"
        return None

    def close(self) -> None:
        """End the connection, where there is one."""
        if self._client is not None:
            self._client.stop_channels()

    def _connected(self) -> AsyncKernelClient:
        if self._client is None:
            self._client = (
                AsyncKernelClient()
            )  # with a session of its own: by it the kernel tells two clients apart
            self._client.load_connection_info(self._km.get_connection_info())
            self._client.start_channels(iopub=False, stdin=False, hb=False)
        return self._client
