// One terminal that begins messages in many connections and finishes none leaves room for those of the others.
import { type AnsweringLink, openAnsweringLink } from '@ridewatch/unit/src/answering-link.ts';
import { batchBody, JT808, signInBody } from '@ridewatch/unit/src/jt808/bodies.ts';
import { jt808Frame, jt808Frames } from '@ridewatch/unit/src/jt808/message.ts';
import { afterEach, expect, it } from 'vitest';
import { at, createJt808World } from '../../test/jt808.ts';
import { useWorld } from '../../test/use-world.ts';
import { RESULT } from './codes.ts';

const CONNECTIONS = 56;
const MESSAGES = 8;
/** Parts of a message, of which so many are never sent. */
const [PARTS, MISSING] = [128, 2];

const world = useWorld(createJt808World);
const links: AnsweringLink<unknown>[] = [];
afterEach(() => {
  for (const link of links.splice(0)) link.close();
});

/** The first parts of messages, behind a sign-in and before a heartbeat. */
function unfinished(phone: string, code: string): Buffer {
  const one = { form: '2013', phone } as const;
  const messages = [...Array(MESSAGES).keys()].flatMap((n) => {
    const body = Buffer.alloc(PARTS * 1023, n);
    const parts = jt808Frames({ ...one, id: JT808.locations, serial: 10 + n * PARTS, body });
    expect(parts).toHaveLength(PARTS);
    return parts.slice(0, -MISSING);
  });
  const [first, last] = [signInBody('2013', code), Buffer.alloc(0)];
  return Buffer.concat([
    jt808Frame({ ...one, id: JT808.signIn, serial: 1, body: first }),
    ...messages,
    jt808Frame({ ...one, id: JT808.heartbeat, serial: 2, body: last }),
  ]);
}

it('a batch in parts is stored while another terminal has begun hundreds and finishes none', async () => {
  const [greedy, bus] = [await world.freshBus(), await world.freshBus()];
  const code = await (await world.signedIn(greedy)).register();
  const bytes = unfinished(greedy.phone, code);
  for (let n = 0; n < CONNECTIONS; n += 1) {
    const { promise, resolve } = Promise.withResolvers<void>();
    let size = 0;
    const port = world.jt808.listener.openPort();
    const link = await openAnsweringLink(port, '127.0.0.1', (some) => {
      size += some.length;
      // The answers to the sign-in and the heartbeat.
      if (size >= 2 * 20) resolve();
      return [];
    });
    links.push(link);
    link.send(bytes);
    await promise;
  }
  const terminal = await world.signedIn(bus);
  const batch = batchBody([...Array(60).keys()].map((second) => at(second)));
  expect(batch.length).toBeGreaterThan(1023);
  expect(await terminal.ask(JT808.locations, batch, 20_000)).toBe(RESULT.ok);
}, 200_000);
