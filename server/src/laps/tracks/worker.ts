// Draws large answers in a thread of its own, one after the other.
import { parentPort } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { drawTracks, type PackedDraft } from './draft.ts';
import type { DrawnAnswer } from './thread.ts';

parentPort?.on('message', (draft: PackedDraft) => {
  const answer = drawAnswer(draft);
  parentPort?.postMessage(answer, 'packed' in answer ? [answer.packed.buffer] : []);
});

function drawAnswer(draft: PackedDraft): DrawnAnswer {
  try {
    // A copy, whose memory belongs to nothing else, can be handed over.
    return { packed: new Uint8Array(gzipSync(JSON.stringify(drawTracks(draft)))) };
  } catch (error) {
    return { error };
  }
}
