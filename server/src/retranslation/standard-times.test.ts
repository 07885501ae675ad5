// A sender keeps the times of the standard: five seconds for an answer, half a minute until it connects again.
import { expect, it } from 'vitest';
import { SENDER_TIMES } from './sender.ts';

it('upstreams have five seconds to answer, and half a minute until the next connection', () => {
  expect(SENDER_TIMES).toMatchObject({ answerMs: 5000, reconnectMs: 30_000 });
});
