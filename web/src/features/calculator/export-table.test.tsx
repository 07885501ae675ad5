import { beforeEach, describe, expect, it } from 'vitest';
import { setLanguage } from '../../i18n/language.ts';
import { calculation, calculationLap, calculationParts } from '../../test/made-calculation.ts';
import { exportTable } from './export-table.ts';
import { en } from './texts-en.ts';

const about = { busName: 'A 7', zone: 'Europe/Moscow', text: en };
const linesOf = (parts: Parameters<typeof calculationParts>[0]): string[] =>
  exportTable(calculationParts(parts), about).split('\r\n');

beforeEach(() => setLanguage('en_US'));

describe('the table of a calculation', () => {
  it('has its figures, with what the driver handed in and the difference', () => {
    const handed = { driver: 'Petrov', handed_in: '400.00', difference: '-42.80' };
    const lines = linesOf({ calculation: calculation(handed) });
    for (const line of ['To hand in,442.80', 'Handed in,400.00', 'Difference,-42.80']) {
      expect(lines).toContain(line);
    }
    expect(lines).toContain('Driver,Petrov');
  });

  it('has a row for each lap, and the people of no lap', () => {
    const other = { automatic: 1, corrections: 0, count: 1, total: '45.00' };
    const lines = linesOf({ laps: [calculationLap(1, { error: '5.00' })], other });
    expect(lines).toContain('1,06:00–06:50,12,0,12,540.00,5.00');
    expect(lines).toContain(',Outside of laps,1,0,1,45.00');
  });

  it('takes the people off who are outside the shift in a lap that counts whole', () => {
    const outside = { automatic: 3, corrections: -1, count: 2 };
    const lines = linesOf({ laps: [calculationLap(1)], outside });
    expect(lines).toContain(',Of these outside the shift (laps count whole),-3,1,-2,');
  });

  it('has a row for each hour of a day without laps', () => {
    expect(linesOf({ laps: [] })).toContain('08:00,12,0,12,540.00');
  });

  it('keeps a name that begins like a formula as text', () => {
    const lines = linesOf({ calculation: calculation({ driver: '=1+1' }) });
    expect(lines).toContain("Driver,'=1+1");
    const parts = calculationParts({ calculation: calculation() });
    expect(exportTable(parts, { ...about, busName: '+7' })).toMatch(/^\uFEFF'\+7,/);
  });
});
