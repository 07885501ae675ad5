// The program of the thread that draws large answers.
import { gzipSync } from 'node:zlib';
import { handOver } from '../../core/threads.ts';
import { drawTracks, type PackedDraft } from './draft.ts';
import type { DrawnAnswer } from './thread.ts';

/** Draws the tracks of a day. @returns their JSON in gzip */
export function answer(draft: PackedDraft): DrawnAnswer {
  // A copy, whose memory belongs to nothing else, can be handed over.
  return handOver(new Uint8Array(gzipSync(JSON.stringify(drawTracks(draft)))));
}
