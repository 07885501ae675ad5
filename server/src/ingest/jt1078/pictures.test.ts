import { type Jt1078Frame, jt1078Packets } from '@ridewatch/unit/src/jt1078/packet.ts';
import { describe, expect, it } from 'vitest';
import { PART } from './codes.ts';
import { createPacketReader, type Packet } from './packets.ts';
import { createPictureReader, MOST_PICTURE_BYTES } from './pictures.ts';

const camera = { phone: '13912345678', channel: 1, codec: 'h264' } as const;

/** The packets of frames, numbered one after another. */
function packetsOf(frames: readonly Jt1078Frame[], from = 0): Packet[] {
  const reader = createPacketReader();
  let serial = from;
  for (const frame of frames) {
    const packets = jt1078Packets(camera, frame, serial);
    serial += packets.length;
    reader.push(Buffer.concat(packets));
  }
  const [reading] = reader.readings() ?? [];
  if (reading === undefined) throw new Error('no packets');
  reader.choose(reading);
  const read: Packet[] = [];
  for (let packet = reader.next(); packet !== undefined; packet = reader.next()) read.push(packet);
  return read;
}

/** A picture whose bytes are its letter: capitals are key pictures. */
const picture = (letter: string, timeMs: number, bytes = 2000): Jt1078Frame => ({
  kind: letter === letter.toUpperCase() ? 'key' : 'predicted',
  ...{ timeMs, bytes: Buffer.alloc(bytes, letter) },
});

function take(packets: readonly Packet[]): { word: string; times: number[]; shown: number[] } {
  const reader = createPictureReader();
  const pictures = packets.flatMap((packet) => {
    if (packet.data < 3) return reader.take(packet) ?? [];
    reader.pass(packet);
    return [];
  });
  return {
    word: pictures.map(({ bytes }) => bytes.toString('latin1', 0, 1)).join(''),
    times: pictures.map(({ atMs }) => atMs),
    shown: pictures.map(({ shownMs }) => shownMs),
  };
}

const row = [...'bAbcDef'].map((letter, n) => picture(letter, 1000 + n * 40));

describe('pictures of a stream', () => {
  it('begin with a key picture', () => {
    const times = [0, 40, 80, 120, 160, 200];
    expect(take(packetsOf(row))).toEqual({ word: 'AbcDef', times, shown: times });
  });

  it('go on over the end of the numbers', () => {
    expect(take(packetsOf(row, 65_530)).word).toBe('AbcDef');
  });

  it('of which a packet is missing are dropped until the next key picture', () => {
    const packets = packetsOf(row);
    // Each picture has three packets; the first one does not count.
    for (const lost of [6, 7, 8]) {
      expect(take(packets.filter((_, n) => n !== lost)).word).toBe('ADef');
    }
    expect(take(packets.filter((_, n) => n !== 12)).word).toBe('Abc');
  });

  it('of which a whole one is missing are dropped until the next key picture', () => {
    expect(take(packetsOf(row).filter((_, n) => n < 6 || n > 8)).word).toBe('ADef');
  });

  it('do not miss sound, whether it is numbered with them or apart', () => {
    const sound: Jt1078Frame = { kind: 'audio', timeMs: 1000, bytes: Buffer.alloc(100) };
    const together = row.flatMap((one) => [one, sound]);
    expect(take(packetsOf(together)).word).toBe('AbcDef');
    const apart = packetsOf(row).flatMap((packet, n) =>
      n % 3 === 2 ? [packet, ...packetsOf([sound], 40_000 + n)] : [packet],
    );
    expect(take(apart).word).toBe('AbcDef');
  });

  it('that are too large are dropped', () => {
    const large = picture('c', 1120, MOST_PICTURE_BYTES + 1);
    const frames = row.map((one, n) => (n === 3 ? large : one));
    expect(take(packetsOf(frames)).word).toBe('AbDef');
  });

  it('of more parts than a picture needs are dropped, whatever the parts hold', () => {
    const packets = packetsOf(row);
    const [first, middle] = [packets[9], packets[10]];
    if (first === undefined || middle === undefined) throw new Error('no parts');
    const empty = { ...middle, body: Buffer.alloc(0) };
    const parts = Array.from({ length: 9000 }, (_, n) => ({
      ...empty,
      serial: first.serial + 1 + n,
    }));
    const last = { ...middle, part: PART.last, serial: first.serial + 9001 };
    const after = packetsOf(row, first.serial + 9002);
    expect(take([...packets.slice(0, 9), first, ...parts, last, ...after]).word).toBe('AbAbcDef');
  });

  it('follow each other when the clock of the terminal jumps', () => {
    const times = [0, 40, 90_000, 90_040, 10, 50];
    const frames = times.map((timeMs, n) => picture(n === 0 ? 'A' : 'b', timeMs));
    expect(take(packetsOf(frames)).times).toEqual([0, 40, 80, 120, 160, 200]);
  });

  it('that are sent before those they follow last as long as they did', () => {
    // Sent as I P B B P B B…, each with the time at which it is shown.
    const shown = [0, 120, 40, 80, 240, 160, 200, 360, 280, 320, 480, 400, 440];
    const frames = shown.map((timeMs, n) => picture(n === 0 ? 'A' : 'b', timeMs));
    expect(take(packetsOf(frames))).toMatchObject({
      times: [0, 120, 121, 161, 201, 241, 281, 321, 361, 401, 441, 481, 521],
      shown: [0, 120, 121, 161, 321, 241, 281, 441, 361, 401, 561, 481, 521],
    });
  });

  it('last as long as they did when the clock of the terminal is set back a little', () => {
    const shown = [0, 40, 80, 120, 20, 60, 100, 140, 180];
    const frames = shown.map((timeMs, n) => picture(n === 0 ? 'A' : 'b', timeMs));
    expect(take(packetsOf(frames))).toMatchObject({
      times: [0, 40, 80, 120, 121, 161, 201, 221, 241],
      shown: [0, 40, 80, 120, 121, 161, 201, 241, 281],
    });
  });

  it('go on when more are sent ahead than any coding needs', () => {
    const shown = [0, 400, 360, 320, 280, 240, 200, 160, 440];
    const frames = shown.map((timeMs, n) => picture(n === 0 ? 'A' : 'b', timeMs));
    const { times } = take(packetsOf(frames));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });
});
