import type { Endpoint } from '@ridewatch/contract/endpoint';
import { act } from '@testing-library/react';
import type { AnswerOf } from '../calls/request.ts';
import type { FakeServer } from './server.ts';

/**
 * Makes the server keep its answer to a call.
 * @returns lets the answer go
 */
export function answerLater<E extends Endpoint>(
  server: FakeServer,
  endpoint: E,
  answer: AnswerOf<E> | Response,
): () => Promise<void> {
  let send: () => void = () => undefined;
  const isSent = new Promise<void>((resolve) => {
    send = resolve;
  });
  server.answer(endpoint, async () => {
    await isSent;
    return answer;
  });
  return () => act(async () => send());
}
