import { createTurns, type Turns } from '../../core/turns.ts';

/** Lets the previews of one process run one at a time. */
export function createPreviewTurns(): Turns {
  return createTurns({
    mostWaiting: 16,
    mostOfOne: 4,
    message: 'Other previews are running. Try again soon.',
    retryAfterS: 10,
  });
}
