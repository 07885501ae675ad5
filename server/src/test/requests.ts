// Requests to a server in memory, and its answers as data.
import type { TestServer } from './test-deps.ts';

/** Sends a request of JSON. @returns the status of its answer and the parsed body, `{}` when there is none */
export async function askJson(
  { app }: Pick<TestServer, 'app'>,
  token: string | undefined,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  payload?: object,
) {
  const answer = await app.inject({
    ...{ method, url, headers: { authorization: `Bearer ${token}` } },
    ...(payload !== undefined && { payload }),
  });
  return { status: answer.statusCode, body: answer.body === '' ? {} : answer.json() };
}

/** Sends a batch of a unit, by default at the moment of the server's clock. @returns the answer as it is */
export function sendBatch(
  { app, clock }: Pick<TestServer, 'app' | 'clock'>,
  credential: string,
  batch: {
    readonly stream: string;
    readonly records: readonly object[];
    /** The moment by the unit's own clock. */
    readonly sent_at?: string;
  },
) {
  return app.inject({
    ...{ method: 'POST', url: '/unit/v1/batches' },
    headers: { authorization: `Bearer ${credential}` },
    body: { sent_at: new Date(clock.nowMs()).toISOString(), ...batch },
  });
}
