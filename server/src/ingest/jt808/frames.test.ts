// The bytes of JT/T 808: escapes and checksums, both forms of the header, and streams that are cut, joined and damaged.
import { jt808Frame } from '@ridewatch/unit/src/jt808/message.ts';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { type Damage, damage, damagePackets } from '../../test/damaged-packets.ts';
import { createAnswers } from './answers.ts';
import { createFrameReader, frameOf } from './frames.ts';
import { type Message, readMessage } from './messages.ts';

function readAll(pieces: readonly Buffer[]): Message[] {
  const reader = createFrameReader();
  const messages: Message[] = [];
  for (const piece of pieces) {
    reader.push(piece);
    for (let content = reader.next(); content; content = reader.next()) {
      const message = readMessage(content);
      if (message !== undefined) messages.push(message);
    }
  }
  return messages;
}

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('a frame', () => {
  it('has the escapes of the standard', () => {
    // The example of the standard, with its checksum.
    const framed = frameOf(hex('30 7e 08 7d 55'));
    expect(framed.toString('hex')).toBe('7e307d02087d01556e7e');
    const reader = createFrameReader();
    reader.push(framed);
    expect(reader.next()?.toString('hex')).toBe('307e087d55');
  });

  it('of 2011 and 2013 names its terminal in six bytes', () => {
    const body = Buffer.from('body');
    const frame = jt808Frame({ form: '2013', phone: '13900000001', id: 0x0200, serial: 7, body });
    const [message, ...more] = readAll([frame]);
    expect(more).toEqual([]);
    expect(message).toMatchObject({
      ...{ id: 0x0200, version: null, terminal: '13900000001', serial: 7 },
      ...{ isEncrypted: false, split: null },
    });
    expect(message?.body.toString()).toBe('body');
  });

  it('of 2019 names the same terminal in ten bytes', () => {
    const body = Buffer.from('body');
    const message = {
      form: '2019',
      phone: '13900000001',
      id: 0x0704,
      serial: 65_535,
      body,
    } as const;
    expect(readAll([jt808Frame(message, [3, 2])])).toMatchObject([
      {
        ...{ id: 0x0704, version: 1, terminal: '13900000001', serial: 65_535 },
        split: { total: 3, index: 2 },
      },
    ]);
  });

  it('says when it is encrypted', () => {
    const message = { form: '2013', phone: '1', id: 0x0200, serial: 7, body: hex('00') } as const;
    const frame = jt808Frame(message, undefined, { attributes: 0x0400 });
    expect(readAll([frame])).toMatchObject([{ isEncrypted: true }]);
  });

  it('of zeros names nobody, and one of letters is a number', () => {
    const phones = ['000000000000', '4eb6fb4afd9e'];
    const frames = phones.map((phone) => {
      return jt808Frame({ form: '2013', phone, id: 2, serial: 1, body: hex('') });
    });
    expect(readAll(frames).map(({ terminal }) => terminal)).toEqual([null, '4eb6fb4afd9e']);
  });

  it('is answered in its own form', () => {
    for (const form of ['2013', '2019'] as const) {
      const frame = jt808Frame({ form, phone: '139', id: 0x0200, serial: 0x1234, body: hex('00') });
      const [message] = readAll([frame]);
      if (message === undefined) throw new Error('not read');
      const [answer] = readAll([createAnswers().general(message, message.serial, 0)]);
      expect(answer).toMatchObject({ id: 0x8001, version: message.version, terminal: '139' });
      expect(answer?.body.toString('hex')).toBe('1234020000');
    }
  });
});

describe('a frame that is damaged', () => {
  const sound = jt808Frame({ form: '2013', phone: '139', id: 2, serial: 7, body: hex('0102') });

  it.each([
    ['by its checksum', '7e 0002 0000 000000000139 0001 ff 7e'],
    ['by an escape that is none', '7e 0002 0000 000000000139 0001 7d03 7e'],
    ['by an escape at its end', '7e 0002 0000 000000000139 0001 7d 7e'],
    ['by its length', frameOf(hex('0002 0001 000000000139 0001')).toString('hex')],
    ['because it is too short', frameOf(hex('0002')).toString('hex')],
    ['because its end is missing', '7e 0002 0000 000000000139'],
    ['because its beginning is missing', '0139 0001 3a 7e'],
  ])('%s costs itself alone', (_, frame) => {
    expect(readAll([Buffer.concat([hex(frame), sound])])).toMatchObject([{ serial: 7 }]);
  });

  it('because it is too long costs itself alone, and little memory', () => {
    const long = Buffer.concat([hex('7e'), Buffer.alloc(5000, 0x55), hex('7e')]);
    expect(readAll([long, sound])).toMatchObject([{ serial: 7 }]);
    const whole = Buffer.concat([long, sound]);
    expect(readAll([...whole].map((byte) => Buffer.from([byte])))).toMatchObject([{ serial: 7 }]);
  });

  it('and shares its border with the next one costs itself alone', () => {
    expect(readAll([Buffer.concat([sound.subarray(0, -1), sound])])).toHaveLength(2);
  });
});

describe('a stream', () => {
  const bodies = fc.array(
    fc.record({
      body: fc.uint8Array({ maxLength: 300 }),
      form: fc.constantFrom('2013' as const, '2019' as const),
    }),
    { minLength: 1, maxLength: 12 },
  );
  const build = (
    parts: readonly { readonly body: Uint8Array; readonly form: '2013' | '2019' }[],
  ): Buffer[] =>
    parts.map(({ body, form }, serial) =>
      jt808Frame({ form, phone: '13900000001', id: 0x0200, serial, body: Buffer.from(body) }),
    );
  const cutAt = (bytes: Buffer, cuts: readonly number[]) => {
    const ends = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length];
    ends.sort((a, b) => a - b);
    return ends.slice(1).map((end, n) => bytes.subarray(ends[n], end));
  };

  it('is the same messages however TCP cuts and joins it', () => {
    fc.assert(
      fc.property(bodies, fc.array(fc.nat(), { maxLength: 40 }), (parts, cuts) => {
        const read = readAll(cutAt(Buffer.concat(build(parts)), cuts));
        expect(read.map(({ serial, body }) => [serial, body.toString('hex')])).toEqual(
          parts.map(({ body }, serial) => [serial, Buffer.from(body).toString('hex')]),
        );
      }),
    );
  });

  it('with damage keeps every sound message, and makes none that was not sent', () => {
    fc.assert(
      fc.property(
        bodies,
        fc.array(damage, { maxLength: 3 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        (parts, damages: Damage[], cuts) => {
          const link = damagePackets(build(parts), damages);
          const read = readAll(cutAt(Buffer.concat(link.packets), cuts));
          const sent = parts.map(
            ({ body }, serial) => `${serial} ${Buffer.from(body).toString('hex')}`,
          );
          const taken = read.map(({ serial, body }) => `${serial} ${body.toString('hex')}`);
          for (const one of taken) expect(sent).toContain(one);
          for (const [n, one] of sent.entries()) {
            if (!link.damaged.has(n)) expect(taken).toContain(one);
          }
        },
      ),
      { numRuns: inject('triesEverything') ? 100_000 : 300 },
    );
  });

  it('that is damaged beyond a limit is given up', () => {
    const reader = createFrameReader();
    for (let sent = 0; sent < 2_000_000 && !reader.isLost(); sent += 50_000) {
      reader.push(Buffer.concat([Buffer.alloc(50_000, 0x55), hex('7e')]));
      while (reader.next() !== undefined);
    }
    expect(reader.isLost()).toBe(true);
  });

  it('of a mebibyte of borders without a sound frame is given up, and of fewer is not', () => {
    const reader = createFrameReader();
    const pushBorders = (count: number): void => {
      reader.push(Buffer.alloc(count, 0x7e));
      while (reader.next() !== undefined);
    };
    for (let times = 0; times < 3; times += 1) {
      pushBorders(2 ** 20);
      expect(reader.isLost()).toBe(false);
      reader.push(frameOf(hex('00020000013912345678000a')));
      while (reader.next() !== undefined);
    }
    pushBorders(2 ** 20 + 1);
    expect(reader.isLost()).toBe(true);
  });
});
