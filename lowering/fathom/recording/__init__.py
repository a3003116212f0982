"""What each pass of a run did, operation by operation: recorded while it runs, told afterwards.

    recorder = Recorder(pipeline, module, context)
    run(pipeline, module, context, observers=[recorder])
    recorder.recording.runs          the passes, with what each of them changed

Operations are known by numbers, which they keep over all stages. What costs something, as the text of a stage, is made
when it is asked for: `stages.py` (texts), `differences.py`, `lives.py` (lives and blame), `reasons.py` (why not),
`replaying.py` (a pass step by step), `trace.py` (a file).
"""

from __future__ import annotations

from fathom.recording.numbers import Known
from fathom.recording.recorder import Recorder
from fathom.recording.recording import Kind, PassRecord, Recording, Refusal, Step

__all__ = ["Kind", "Known", "PassRecord", "Recorder", "Recording", "Refusal", "Step"]
