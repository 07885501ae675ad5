// Draws large answers in a thread of its own, one after the other.
import { gzipSync } from 'node:zlib';
import { answerInThread } from '../../core/idle-thread.ts';
import { drawTracks, type PackedDraft } from './draft.ts';
import type { DrawnAnswer } from './thread.ts';

answerInThread<PackedDraft, DrawnAnswer>(
  // A copy, whose memory belongs to nothing else, can be handed over.
  (draft) => new Uint8Array(gzipSync(JSON.stringify(drawTracks(draft)))),
  ({ buffer }) => [buffer],
);
