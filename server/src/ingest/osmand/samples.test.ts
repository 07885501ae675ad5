// Requests of real phones, where they are at hand: each position as other programs read it.
import { beforeEach, describe, expect, it } from 'vitest';
import { sampleRows, samples } from '../../test/samples.ts';
import { readElements } from './elements.ts';
import { queryOf } from './http-request.ts';
import { isFault, readId, readMoment } from './moments.ts';
import { recordsOf } from './unit-records.ts';

describe('requests of real phones', () => {
  beforeEach(({ skip }) => skip(!samples.areThere, `${samples.folder} is not there`));

  it('are read, each position as it is known to be', () => {
    const rows = sampleRows('units/osmand_requests.csv');
    expect(rows).not.toHaveLength(0);
    for (const row of rows) {
      const isQuery = row.method === 'GET';
      const { elements } = readElements({
        query: isQuery ? queryOf(row.url_or_body ?? '') : '',
        contentType: row.content_type,
        body: Buffer.from(isQuery ? '' : (row.url_or_body ?? '')),
      });
      const [element] = elements;
      if (element === undefined) throw new Error(`${row.id}: no element`);
      expect([row.id, readId(element)]).toEqual([row.id, row.expected_device_id]);
      const moment = readMoment(element);
      if (moment === null || isFault(moment)) throw new Error(`${row.id}: ${moment?.message}`);
      const [position] = recordsOf(moment, { speed: 'knots' });
      const other = JSON.parse(row.expected_other ?? '{}') as Record<string, string>;
      const number = (text: string | undefined) => (text ? Number(text) : null);
      const knots = number(row.expected_speed_raw);
      expect([row.id, position]).toEqual([
        row.id,
        expect.objectContaining({
          type: 'position',
          sentMs: Date.parse(row.expected_time_utc_or_note ?? ''),
          place: {
            latitude: expect.closeTo(Number(row.expected_lat), 6),
            longitude: expect.closeTo(Number(row.expected_lon), 6),
          },
          speedKmh: knots === null ? null : expect.closeTo(knots * 1.852, 1),
          course: other.bearing ? expect.closeTo(Number(other.bearing), 1) : null,
          hdop: number(other.hdop),
        }),
      ]);
    }
  });
});
