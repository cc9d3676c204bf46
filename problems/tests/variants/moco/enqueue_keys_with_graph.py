# /// variant
# of = ["wrong/enqueue_keys_attached.py"]
# ///
import torch


def guard(*tensors):
    for tensor in tensors:
        if not torch.is_tensor(tensor) or not tensor.is_floating_point() or tensor.dtype == torch.float16:
            raise TypeError("float32 or float64 tensors, please")
        if tensor.dtype != tensors[0].dtype:
            raise TypeError("all tensors must share one dtype")
        if not torch.isfinite(tensor).all():
            raise ValueError("there is a NaN or an infinity")


def unit(rows):
    return rows / rows.norm(p=2, dim=-1, keepdim=True).clamp(min=1e-12)


def moco_loss(query, key, queue, temperature=0.2):
    guard(query, key, queue)
    if query.ndim != 2 or queue.ndim != 2 or query.shape != key.shape or query.size(1) != queue.size(1):
        raise ValueError("shapes do not fit")
    if 0 in query.shape or 0 in queue.shape:
        raise ValueError("nothing to compare")
    if isinstance(temperature, bool) or not isinstance(temperature, (int, float)):
        raise TypeError("temperature is a number")
    if not 0 < temperature < float("inf"):
        raise ValueError("temperature is positive and finite")
    with torch.no_grad():
        positives, negatives = unit(key), unit(queue)
    query = unit(query)
    gap = (query @ negatives.mT - (query * positives).sum(1, keepdim=True)) / temperature
    return torch.nn.functional.softplus(gap.logsumexp(1)).mean()


def momentum_update(query, key, momentum=0.999):
    guard(query, key)
    if query.shape != key.shape:
        raise ValueError("query and key differ in shape")
    if isinstance(momentum, bool) or not isinstance(momentum, (int, float)):
        raise TypeError("momentum is a number")
    if not 0 <= momentum <= 1:
        raise ValueError("momentum is between 0 and 1")
    with torch.no_grad():
        return key * momentum + query * (1.0 - momentum)


def enqueue(queue, keys, pointer):
    guard(queue, keys)
    if queue.ndim != 2 or keys.ndim != 2 or queue.size(1) != keys.size(1) or queue.numel() == 0:
        raise ValueError("shapes do not fit")
    if isinstance(pointer, bool) or not isinstance(pointer, int):
        raise TypeError("pointer is an int")
    if pointer < 0 or pointer >= queue.size(0):
        raise ValueError("pointer is not a row of the queue")
    places, batch = queue.size(0), keys.size(0)
    rows = list(queue.detach().unbind())
    for offset, key in enumerate(unit(keys)):
        rows[(pointer + offset) % places] = key
    return torch.stack(rows), (pointer + batch) % places
