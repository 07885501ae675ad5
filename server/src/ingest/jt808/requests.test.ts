// Messages of the server to a terminal, and its answers.

import type { Jt808Answer } from '@ridewatch/unit/src/jt808/answer.ts';
import { answerBody, JT808 } from '@ridewatch/unit/src/jt808/bodies.ts';
import { u16 } from '@ridewatch/unit/src/jt808/message.ts';
import { createJt808Terminal, type Jt808Terminal } from '@ridewatch/unit/src/jt808/terminal.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { createJt808World, type Jt808Bus } from '../../test/jt808.ts';
import { useWorld } from '../../test/use-world.ts';
import { RESULT } from './codes.ts';

const world = useWorld(createJt808World);
let bus: Jt808Bus;
let terminal: Jt808Terminal;

beforeAll(async () => {
  bus = await world.freshBus();
  terminal = await world.signedIn(bus, '2019');
});

/** A query of recordings, which message 0x1205 answers. */
const QUERY = { id: 0x9205, answerId: 0x1205, body: Buffer.from('query'), waitMs: 10_000 };
/** The attributes of a terminal: a message whose general answer is awaited. */
const PLAIN = { id: 0x8105, body: Buffer.from([4]), waitMs: 10_000 };

/** The message that the terminal gets. */
async function heard(): Promise<Extract<Jt808Answer, { kind: 'message' }>> {
  for (;;) {
    const answer = await terminal.link.next();
    if (answer.kind === 'message') return answer;
  }
}

describe('a message to a terminal', () => {
  it('has the form of its messages, and its general answer', async () => {
    const asked = world.jt808.listener.ask(bus.unitId, PLAIN);
    const message = await heard();
    expect(message).toMatchObject({ id: 0x8105, phone: bus.phone.padStart(20, '0') });
    terminal.send(JT808.answer, answerBody(message.serial, message.id, 1));
    expect(await asked).toEqual({ kind: 'result', result: 1 });
  });

  it('may be answered by a message, of several parts, after a general answer', async () => {
    const asked = world.jt808.listener.ask(bus.unitId, QUERY);
    const message = await heard();
    terminal.send(JT808.answer, answerBody(message.serial, message.id, 0));
    const body = Buffer.concat([u16(message.serial), Buffer.alloc(2000, 7)]);
    expect(await terminal.ask(0x1205, body)).toBe(RESULT.ok);
    expect(await asked).toEqual({ kind: 'message', body });
  });

  it('that the terminal refuses is not waited for', async () => {
    const asked = world.jt808.listener.ask(bus.unitId, QUERY);
    const message = await heard();
    terminal.send(JT808.answer, answerBody(message.serial, message.id, RESULT.notSupported));
    expect(await asked).toEqual({ kind: 'result', result: RESULT.notSupported });
  });

  it('is not answered by what answers another one', async () => {
    const asked = world.jt808.listener.ask(bus.unitId, { ...QUERY, waitMs: 300 });
    const { serial } = await heard();
    terminal.send(JT808.answer, answerBody(serial + 1, QUERY.id, 1));
    terminal.send(JT808.answer, answerBody(serial, 0x8105, 1));
    // Another terminal in the same connection.
    const neighbour = createJt808Terminal(terminal.link, { phone: '139', form: '2013' });
    neighbour.send(JT808.answer, answerBody(serial, QUERY.id, 1));
    expect(await terminal.ask(0x1205, u16(serial + 1))).toBe(RESULT.ok);
    expect(await asked).toEqual({ kind: 'silence' });
  });

  it('whose list comes late, in parts, too, is told that all is well', async () => {
    const asked = world.jt808.listener.ask(bus.unitId, { ...QUERY, waitMs: 1 });
    const { serial } = await heard();
    expect(await asked).toEqual({ kind: 'silence' });
    const body = Buffer.concat([u16(serial), Buffer.alloc(2000, 7)]);
    for (const late of [body, body.subarray(0, 6)]) {
      expect(await terminal.ask(0x1205, late)).toBe(RESULT.ok);
    }
    expect(await terminal.ask(0x0702, body)).toBe(RESULT.notSupported);
  });

  it('that is not there has no answer', async () => {
    const other = await world.freshBus();
    expect(await world.jt808.listener.ask(other.unitId, PLAIN)).toBeUndefined();
    const gone = await world.signedIn(other);
    await gone.ask(JT808.signOff, Buffer.alloc(0));
    expect(await world.jt808.listener.ask(other.unitId, PLAIN)).toBeUndefined();
  });

  it('whose connection ends has no answer', async () => {
    const other = await world.freshBus();
    const ending = await world.signedIn(other);
    const asked = world.jt808.listener.ask(other.unitId, PLAIN);
    await ending.link.next();
    ending.link.close();
    expect(await asked).toBeUndefined();
  });

  it('goes where it signed in last', async () => {
    const [first, last] = [await world.signedIn(bus), await world.signedIn(bus)];
    first.link.close();
    const asked = world.jt808.listener.ask(bus.unitId, PLAIN);
    const message = await last.link.next();
    if (message.kind !== 'message') throw new Error('no message');
    last.send(JT808.answer, answerBody(message.serial, message.id, 0));
    expect(await asked).toEqual({ kind: 'result', result: RESULT.ok });
  });
});

it('a connection has at most a thousand messages that wait, and a further one is not sent', async () => {
  const other = await world.freshBus();
  const busy = await world.signedIn(other);
  const all = [...Array(1001).keys()].map(() => world.jt808.listener.ask(other.unitId, PLAIN));
  expect(await all[1000]).toBeUndefined();
  // Its answer comes after all that was sent before.
  busy.send(JT808.heartbeat, Buffer.alloc(0));
  const kinds: string[] = [];
  while (kinds.at(-1) !== 'answer') kinds.push((await busy.link.next()).kind);
  expect(kinds).toEqual([...Array(1000).fill('message'), 'answer']);
  busy.link.close();
  expect(await Promise.all(all)).toEqual(Array(1001).fill(undefined));
});
