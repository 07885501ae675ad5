// Messages of real terminals, where they are at hand: each location as other programs read it.
import { beforeEach, describe, expect, it } from 'vitest';
import { sampleRows, samples } from '../../test/samples.ts';
import { MESSAGE } from './codes.ts';
import { createFrameReader } from './frames.ts';
import { readBatch, readExtras, readLocation } from './locations.ts';
import { readMessage } from './messages.ts';

describe('messages of real terminals', () => {
  beforeEach(({ skip }) => skip(!samples.areThere, `${samples.folder} is not there`));

  const readAll = () =>
    sampleRows('units/jt808_packets.csv').map((row) => {
      const reader = createFrameReader();
      reader.push(Buffer.from(row.wire_hex ?? '', 'hex'));
      const content = reader.next();
      const message = content && readMessage(content);
      if (message === undefined) throw new Error(`${row.id} is not read`);
      return { row, message };
    });

  it('have the headers that they are known to have', () => {
    const all = readAll();
    expect(all.length).toBeGreaterThan(0);
    for (const { row, message } of all) {
      expect({
        ...{ id: message.id, serial: message.serial, length: message.body.length },
        ...{ version: message.version, phone: message.phone.toString('hex') },
        split: message.split,
      }).toEqual({
        ...{ id: Number.parseInt(row.msg_id ?? '', 16), serial: Number(row.serial) },
        ...{ length: Number(row.body_len), phone: row.terminal_phone_bcd, split: null },
        version: row.v2019 === '1' ? Number(row.protocol_version) : null,
      });
    }
  });

  it('are read whole, each position and extra as it is known to be', () => {
    const locations = readAll().flatMap(({ row, message: { id, body } }) => {
      if (id === MESSAGE.locations) {
        return (readBatch(body) ?? []).map((item) => ({ id: row.id, item }));
      }
      return id === MESSAGE.location ? [{ id: row.id, item: body }] : [];
    });
    const known = sampleRows('units/jt808_expected_positions.csv');
    expect(locations).toHaveLength(known.length);
    for (const [n, { id, item }] of locations.entries()) {
      const row = known[n] ?? {};
      expect(id).toBe(row.packet_id);
      const [one] = readLocation(item, { clock_hours: 0 }) ?? [];
      if (one?.type !== 'position') throw new Error(`${id} is no position`);
      const digits = new Date(one.sentMs).toISOString().replaceAll(/\D/g, '').slice(2, 14);
      expect([id, digits]).toEqual([id, row.time_bcd_yymmddhhmmss]);
      expect([id, one.place !== null]).toEqual([id, row.fix === '1']);
      if (one.place !== null) {
        expect(one.place.latitude).toBeCloseTo(Number(row.lat), 6);
        expect(one.place.longitude).toBeCloseTo(Number(row.lon), 6);
      }
      expect(one.speedKmh).toBeCloseTo(Number(row.speed_kmh), 6);
      expect(one.course).toBe(Number(row.course_deg));
      expect(one.satellites).toBe(row.satellites === '' ? null : Number(row.satellites));
      const extras = [...readExtras(item)].map(([key, value]) => [
        key.toString(16).padStart(2, '0'),
        value.toString('hex'),
      ]);
      expect([id, Object.fromEntries(extras)]).toEqual([id, JSON.parse(row.tlv ?? '')]);
    }
  });

  it('name a terminal also by a number with letters, and nobody by zeros', () => {
    const names = readAll().map(({ message: { phone, terminal } }) => [
      phone.toString('hex'),
      terminal,
    ]);
    expect(names).toContainEqual(['4eb6fb4afd9e', '4eb6fb4afd9e']);
    expect(names).toContainEqual(['00000866496077582164', '866496077582164']);
    expect(names).toContainEqual(['000000000000', null]);
  });
});
