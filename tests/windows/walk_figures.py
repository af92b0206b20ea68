"""What a run under Wine says of its walks: how many are right and whole, and how long threads stood."""
import dataclasses
import re

from stream import OWN_WALK, Stream

TIME = re.compile(r"(in all|the system's calls|walkabout with the CLR|of that copying|the CLR's walk) p50 ([\d.]+) us, p99 ([\d.]+) us")
ANSWER = re.compile(r"DoStackSnapshot (with|without) a seed: (\w+) (\d+)")


def share(count: int, of: int) -> float:
    return count / of if of else 0


@dataclasses.dataclass
class Walks:
    samples: int
    whole: int    # from the leaf to the thread's entry
    own: int      # ours in place of the CLR's, which refused
    unnamed: list[str]
    frames: int


def walks_of(stream: Stream, threads: list[int]) -> Walks:
    samples = [sample for thread in threads for sample in stream.by_thread[thread]]
    names = [name for sample in samples for name in stream.names(sample)]
    return Walks(len(samples), sum(sample.end == 0 for sample in samples), sum(bool(s.flags & OWN_WALK) for s in samples),
                 [name for name in names if name.startswith("?") or name == "[?]"], len(names))


def answers(stream: Stream) -> dict[tuple[bool, str], int]:
    """By whether there was a seed and what DoStackSnapshot returned."""
    return {(found[1] == "with", found[2]): int(found[3]) for message in stream.messages if (found := ANSWER.search(message))}


def stood(stream: Stream) -> dict[str, tuple[float, float]]:
    """Microseconds, p50 and p99, that a thread stood for a walk, by part."""
    return {part: (float(p50), float(p99)) for message in stream.messages for part, p50, p99 in TIME.findall(message)}


def percentile(values: list[int], percent: int) -> float:
    return sorted(values)[(len(values) - 1) * percent // 100]
