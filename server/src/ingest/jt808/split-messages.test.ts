// Split messages: put together in any order, never mixed, and limited in number, bytes and time.
import { jt808Frames } from '@ridewatch/unit/src/jt808/message.ts';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { RESULT } from './codes.ts';
import { createFrameReader } from './frames.ts';
import { type Message, readMessage } from './messages.ts';
import {
  createSplitMessages,
  createSplitRoom,
  type SplitLimits,
  type SplitMessages,
} from './split-messages.ts';

/** The parts of a message. */
function partsOf(
  body: Buffer,
  { serial = 1, phone = '139', id = 0x0704 } = {},
  mostBytes = 10,
): Message[] {
  const reader = createFrameReader();
  return jt808Frames({ form: '2013', phone, id, serial, body }, mostBytes).map((frame) => {
    reader.push(frame);
    const content = reader.next();
    const message = content && readMessage(content);
    if (message === undefined) throw new Error('not read');
    return message;
  });
}

const bytes = (length: number, first = 0): Buffer =>
  Buffer.from([...Array(length).keys()].map((n) => (first + n) % 256));

/** What a part of ten bytes takes, and what its message takes beside its parts. */
const [PART, MESSAGE] = [210, 1000];

function open(
  room = createSplitRoom(),
  ...more: [keepMs?: number, limits?: Pick<SplitLimits, 'ofConnection' | 'ofMessage'>]
): SplitMessages {
  const splits = createSplitMessages(room, ...more);
  onTestFinished(() => splits.clear());
  return splits;
}

describe('a split message', () => {
  it('is whole when its last part is there, in whatever order they come', () => {
    const body = bytes(95);
    fc.assert(
      fc.property(
        fc.shuffledSubarray(partsOf(body, { serial: 65_533 }), { minLength: 10 }),
        (parts) => {
          const splits = open();
          const became = parts.map((part) => splits.add(part));
          expect(became.slice(0, -1).every(({ kind }) => kind !== 'whole')).toBe(true);
          const last = became.at(-1);
          if (last?.kind !== 'whole') throw new Error('not whole');
          expect(last.message.body.equals(body)).toBe(true);
          // The serials begin anew after 65,535.
          expect(last.serials).toEqual([65_533, 65_534, 65_535, 0, 1, 2, 3, 4, 5, 6]);
        },
      ),
    );
  });

  it('is never mixed with another one of as many parts', () => {
    const splits = open();
    const [one, other] = [partsOf(bytes(20)), partsOf(bytes(20, 100), { serial: 3 })];
    const of = (parts: Message[], n: number) => splits.add(parts[n] as Message);
    expect(of(one, 0).kind).toBe('waits');
    // The second part of the first message was lost, and the first part of the second one.
    expect(of(other, 1)).toMatchObject({ kind: 'missing', firstSerial: 3, indexes: [1] });
    expect(of(other, 0)).toMatchObject({ kind: 'whole', message: { body: bytes(20, 100) } });
    expect(of(one, 1)).toMatchObject({ kind: 'whole', message: { body: bytes(20) } });
  });

  it('of another terminal, or with the serials of an earlier one, is another one', () => {
    const splits = open();
    splits.add(partsOf(bytes(20))[0] as Message);
    expect(splits.add(partsOf(bytes(20), { phone: '140' })[1] as Message).kind).toBe('missing');
    // The terminal has restarted: its first part is another one.
    splits.add(partsOf(bytes(20, 50))[0] as Message);
    expect(splits.add(partsOf(bytes(20, 50))[1] as Message)).toMatchObject({
      ...{ kind: 'whole', message: { body: bytes(20, 50) } },
    });
  });

  it('has its missing parts asked for when its last one comes, or one comes again, three times', () => {
    const splits = open();
    const parts = partsOf(bytes(40));
    const add = (n: number) => splits.add(parts[n] as Message);
    expect(add(0)).toEqual({ kind: 'waits' });
    expect(add(3)).toEqual({ kind: 'missing', firstSerial: 1, indexes: [2, 3] });
    expect(add(1)).toEqual({ kind: 'waits' });
    expect(add(1)).toEqual({ kind: 'missing', firstSerial: 1, indexes: [3] });
    expect(add(0)).toEqual({ kind: 'missing', firstSerial: 1, indexes: [3] });
    expect(add(0)).toEqual({ kind: 'waits' });
    expect(add(2).kind).toBe('whole');
  });

  it('with a part that it cannot have, or too many, is refused', () => {
    const splits = open();
    const [part] = partsOf(bytes(20)) as [Message];
    const add = (total: number, index: number) => splits.add({ ...part, split: { total, index } });
    for (const [total, index] of [
      [2, 0],
      [2, 3],
      [0, 0],
      [0, 1],
    ] as const) {
      expect(add(total, index)).toEqual({ kind: 'refused', result: RESULT.wrong });
    }
    expect(add(129, 1)).toEqual({ kind: 'refused', result: RESULT.notSupported });
  });
});

describe('unfinished messages', () => {
  it('are forgotten after a while', async () => {
    const room = createSplitRoom({ mostBytes: MESSAGE + PART + 100 });
    const splits = open(room, 20);
    const parts = partsOf(bytes(20));
    expect(splits.add(parts[0] as Message).kind).toBe('waits');
    expect(hasRoom(room, 200)).toBe(false);
    await vi.waitFor(() => expect(hasRoom(room, 200)).toBe(true));
  });

  it('are eight of a terminal, the latest ones', () => {
    const splits = open();
    const all = [...Array(9).keys()].map((n) => partsOf(bytes(20, n), { serial: n * 10 + 1 }));
    for (const [first] of all) splits.add(first as Message);
    const kinds = all.toReversed().map(([, second]) => splits.add(second as Message).kind);
    expect(kinds).toEqual([...Array(8).fill('whole'), 'missing']);
  });

  it('of many terminals behind one platform do not drop each other', () => {
    const splits = open();
    const all = [...Array(40).keys()].map((n) => partsOf(bytes(20, n), { phone: `${100 + n}` }));
    for (const [first] of all) splits.add(first as Message);
    const kinds = all.map(([, second]) => splits.add(second as Message).kind);
    expect(kinds).toEqual(Array(40).fill('whole'));
  });

  it('have the share of their connection: there, too, the terminal that has most gives place', () => {
    const limits = { ofConnection: 4 * MESSAGE + 6 * PART, ofMessage: MESSAGE + 3 * PART };
    const splits = open(createSplitRoom(), undefined, limits);
    const add = (phone: string, serial: number, part: number) =>
      splits.add(partsOf(bytes(30), { phone, serial })[part] as Message).kind;
    for (const serial of [1, 11, 21]) expect(add('140', serial, 0)).toBe('waits');
    expect(add('150', 1, 0)).toBe('waits');
    // The oldest message of the first terminal gives place, and then its next one.
    for (const phone of ['160', '170']) expect(add(phone, 1, 0)).toBe('waits');
    // Nobody has more than a long message now: the part has no room, and no answer.
    expect(add('180', 1, 0)).toBe('waits');
    const finish = (phone: string, serial = 1) => [1, 2].map((n) => add(phone, serial, n)).at(-1);
    expect(['150', '160', '170'].map((phone) => finish(phone))).toEqual(Array(3).fill('whole'));
    expect([finish('140', 21), finish('140', 1), finish('140', 11)]).toEqual([
      ...['whole', 'missing', 'missing'],
    ]);
  });

  it('have the room of their process, and give it back', () => {
    const mostBytes = MESSAGE + 2 * PART + 30;
    const room = createSplitRoom({ mostBytes });
    const [splits, other] = [open(room), open(room)];
    const parts = partsOf(bytes(30));
    expect(splits.add(parts[0] as Message).kind).toBe('waits');
    expect(splits.add(parts[1] as Message).kind).toBe('waits');
    // A third part has no room, nor has another message: neither is answered.
    expect(splits.add(parts[2] as Message).kind).toBe('waits');
    expect(other.add(parts[0] as Message).kind).toBe('waits');
    splits.clear();
    expect(hasRoom(room, mostBytes)).toBe(true);
  });

  it('of one terminal in many connections leave the room of the others', () => {
    const room = createSplitRoom({
      ofTerminal: 2 * MESSAGE + 4 * PART,
      ofMessage: MESSAGE + 3 * PART,
      mostBytes: 4 * MESSAGE + 8 * PART,
    });
    const greedy = [1, 2, 3, 4, 5, 6].map(() => open(room));
    const whole = (splits: SplitMessages, phone: string): string | undefined => {
      const parts = partsOf(bytes(30), { phone });
      return parts.map((part) => splits.add(part).kind).at(-1);
    };
    for (const [n, splits] of greedy.entries()) {
      splits.add(partsOf(bytes(30), { serial: n * 10 })[0] as Message);
    }
    expect(hasRoom(room, 2 * MESSAGE + 4 * PART)).toBe(true);
    // Its oldest one has given place to its latest one.
    const rest = (n: number) =>
      partsOf(bytes(30), { serial: n * 10 })
        .slice(1)
        .map((part) => greedy[n]?.add(part).kind)
        .at(-1);
    expect(rest(5)).toBe('whole');
    expect(rest(0)).toBe('missing');
    expect(whole(open(room), '140')).toBe('whole');
  });

  it('of the terminal that has most give place when the room is full, but for one long message', () => {
    const room = createSplitRoom({
      ofTerminal: 4 * (MESSAGE + PART) + 200,
      ofMessage: 2 * (MESSAGE + PART),
      mostBytes: 4 * (MESSAGE + PART) + 200,
    });
    const [greedy, other] = [open(room), open(room)];
    const of = (n: number) => partsOf(bytes(30), { serial: n * 10 });
    for (const n of [1, 2, 3, 4]) greedy.add(of(n)[0] as Message);
    const parts = partsOf(bytes(30), { phone: '140' });
    const kinds = parts.map((part) => other.add(part).kind);
    expect(kinds).toEqual(['waits', 'waits', 'whole']);
    // Two have given place; what is left is no more than a long message.
    const last = [4, 3].map((n) =>
      of(n)
        .slice(1)
        .map((part) => greedy.add(part).kind)
        .at(-1),
    );
    expect(last).toEqual(['whole', 'whole']);
  });
});

/** Whether so many bytes are free; they are left so. */
function hasRoom(room: ReturnType<typeof createSplitRoom>, size: number): boolean {
  const place = { bytes: 0, drop: () => undefined };
  const isFree = room.take('free', place, size);
  room.leave('free', place);
  return isFree;
}
