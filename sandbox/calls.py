"""One call of a submission's function, as the checker sends it and reads what comes back."""

from __future__ import annotations

import dataclasses
import secrets
from typing import Any

import torch

from sandbox.proxy import Facts, Raised, Reply
from sandbox.values import Decoder, Encoder, ValueRefused


@dataclasses.dataclass(frozen=True)
class Call:
    """A request as it goes over the channel, and the argument tensors that its answer speaks of by their places."""

    request: dict[str, Any]
    block: bytes
    arguments: list[torch.Tensor]

    @staticmethod
    def make(
        name: str | None,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        *,
        observe: bool = False,
        backward: bool | torch.Tensor = False,
        threads: int | None = None,
        on: int | None = None,
        operation: str = "call",
    ) -> Call:
        """A call of a function, of the experiment for None, or on a module by the place of its handle.

        Raises `ValueRefused` if an argument can't be sent.
        """
        encoder = Encoder(layout=True)
        tree_args, tree_kwargs = encoder.encode(list(args)), encoder.encode(kwargs)
        arguments = list(encoder.tensors)
        request = {
            "id": secrets.token_hex(8),  # a reply that was written before its request cannot know it
            "name": name,
            "args": tree_args,
            "kwargs": tree_kwargs,
            "observed": len(arguments),
            "backward": encoder.encode(backward),
            "observe": observe,
            "threads": threads,
            "on": on,
            "operation": operation,
        }
        payload = encoder.payload(None)
        request["tensors"] = payload.table
        return Call(request, payload.block, arguments)

    def read(self, reply: Any, block: bytes) -> Reply:
        """What came back. For what is no answer, raises one of `values.NO_ANSWER`."""
        if reply["id"] != self.request["id"]:
            raise ValueRefused("an answer to no question")
        if "raised" in reply:
            return Reply(None, Raised.from_reply(reply["raised"]), {}, float(reply["ms"]), int(reply["printed"]))
        decoder = Decoder(reply["tensors"], block, layout=False)
        observed = self._observed(reply, decoder) if self.request["observe"] else {}
        return Reply(decoder.decode(reply["value"]), None, observed, float(reply["ms"]), int(reply["printed"]))

    def _observed(self, reply: dict[str, Any], decoder: Decoder) -> dict[str, Any]:
        changes, shared = reply["changes"], reply["shared"]
        gradients = [decoder.decode(tree) for tree in reply["gradients"]]
        if not len(changes) == len(shared) == len(gradients) == len(self.arguments):
            raise ValueRefused("the observations do not fit the arguments")
        for found, argument in zip(gradients, self.arguments, strict=True):
            fits = isinstance(found, torch.Tensor) and (found.shape, found.dtype) == (argument.shape, argument.dtype)
            if found is not None and not fits:
                raise ValueRefused("a gradient is not of the shape and dtype of its argument")
        raised = reply.get("backward_raised")
        return {
            "arguments": self.arguments,
            "facts": [Facts.from_reply(fact) for fact in reply["facts"]],
            "changes": [[str(word) for word in words] for words in changes],
            "shared": [bool(flag) for flag in shared],
            "gradients": gradients,
            "outputs_share": bool(reply["outputs_share"]),
            "backward_raised": Raised.from_reply(raised) if raised else None,
        }
