import type { MergeRequest } from '@ridewatch/contract/merges';
import { describe, expect, it } from 'vitest';
import { durationText, factsFile, periodOf, shortPeriodOf } from './merge-facts.ts';
import { en } from './texts-en.ts';
import { ru } from './texts-ru.ts';

const merge: MergeRequest = {
  id: 12,
  status: 'COMPLETE',
  from: '2026-11-20T06:00:03.250Z',
  to: '2026-11-20T07:00:00.000Z',
  processed: true,
  created_at: '2026-11-20T08:00:00.000Z',
  client_id: 3,
  client: null,
  workplace: { id: 1, name: 'Автобус 10', description: null },
  camera: { id: 5, name: 'Дверь 1' },
  timezone: 'Europe/Moscow',
  progress: 100,
  fail_reason: null,
  fragments: 60,
  size_bytes: 871_000_000,
  duration_ms: 3_596_750,
  sha256: 'ab'.repeat(32),
  download: '/api/x',
  expires_at: '2026-11-27T08:00:00.000Z',
};

describe('the sheet of a merged file', () => {
  it('says bus, camera, zone, period and SHA-256 in both languages', () => {
    for (const text of [ru, en]) {
      const sheet = factsFile(merge, text);
      for (const said of [
        'Автобус 10',
        'Дверь 1',
        'Europe/Moscow (UTC+3)',
        '20.11.2026 09:00:03 – 10:00:00',
        '2026-11-20T06:00:03.250Z – 2026-11-20T07:00:00.000Z',
        '0:59:57',
        'Автобус-10_Дверь-1_2026-11-20_09.00.03-10.00.00_UTC+3.mp4',
        `SHA-256: ${'ab'.repeat(32)}`,
      ]) {
        expect(sheet).toContain(said);
      }
    }
  });

  it('says its period in short for a list, with seconds where there are some', () => {
    expect(shortPeriodOf({ ...merge, from: '2026-11-20T06:00:00.000Z' })).toBe('20.11 09:00–10:00');
    expect(shortPeriodOf({ ...merge, to: '2026-11-20T21:00:10.000Z' })).toBe(
      '20.11 09:00:03–21.11 00:00:10',
    );
  });

  it('names the day of an end past midnight', () => {
    expect(periodOf({ ...merge, to: '2026-11-20T21:00:10.000Z' })).toBe(
      '20.11.2026 09:00:03 – 21.11.2026 00:00:10',
    );
    expect(durationText(3_723_000)).toBe('1:02:03');
  });
});
