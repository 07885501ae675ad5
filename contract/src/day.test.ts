import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, dayOf, dayRange, formatMoment, momentOf, offsetLabel } from './day.ts';

const zones = [
  'Europe/Moscow',
  'Asia/Yekaterinburg',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'Asia/Beirut',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
];
const aZone = fc.constantFrom(...zones);
const aMoment = fc.integer({ min: Date.UTC(2010), max: Date.UTC(2037) });

describe('a local day', () => {
  it('holds each of its moments, and none of its neighbours', () => {
    fc.assert(
      fc.property(aZone, aMoment, (zone, momentMs) => {
        const day = dayOf(momentMs, zone);
        const { startMs, endMs } = dayRange(day, zone);
        expect(momentMs >= startMs && momentMs < endMs).toBe(true);
        expect([dayOf(startMs, zone), dayOf(endMs - 1, zone)]).toEqual([day, day]);
        expect(dayOf(startMs - 1, zone) < day && dayOf(endMs, zone) > day).toBe(true);
      }),
    );
  });

  it('is the one that calendars of the zone show', () => {
    fc.assert(
      fc.property(aZone, aMoment, fc.integer({ min: 0, max: 86_400_000 }), (zone, ms, laterMs) => {
        const shown = new Intl.DateTimeFormat('en-CA', { timeZone: zone });
        for (const moment of [ms, ms + laterMs]) {
          expect(dayOf(moment, zone)).toBe(shown.format(moment));
        }
      }),
    );
  });

  it('ends where the next one starts', () => {
    fc.assert(
      fc.property(aZone, aMoment, (zone, momentMs) => {
        const day = dayOf(momentMs, zone);
        expect(dayRange(addDays(day, 1), zone).startMs).toBe(dayRange(day, zone).endMs);
      }),
    );
  });

  it('is counted on over months, leap days and years', () => {
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
  });
});

describe('a shown moment', () => {
  it('has the wall time of its zone, as the browser writes it', () => {
    fc.assert(
      fc.property(aZone, aMoment, (timeZone, momentMs) => {
        const shown = new Intl.DateTimeFormat('sv-SE', {
          ...{ timeZone, dateStyle: 'short', timeStyle: 'medium' },
        }).format(momentMs);
        expect(formatMoment(momentMs, timeZone, 'YYYY-MM-DD HH:mm:ss')).toBe(shown);
        // The same once its day is known.
        expect(dayOf(momentMs, timeZone)).toBe(shown.slice(0, 10));
        expect(formatMoment(momentMs, timeZone, 'YYYY-MM-DD HH:mm:ss')).toBe(shown);
      }),
    );
  });
});

describe('a wall time', () => {
  it('is the moment at which clocks show it', () => {
    fc.assert(
      fc.property(aZone, aMoment, (zone, momentMs) => {
        const wall = formatMoment(momentMs, zone, 'YYYY-MM-DDTHH:mm:ss');
        const found = momentOf(wall, zone);
        expect(formatMoment(found, zone, 'YYYY-MM-DDTHH:mm:ss')).toBe(wall);
        expect(found).toBeLessThanOrEqual(momentMs);
      }),
    );
  });

  it('that is shown twice is the first one', () => {
    expect(momentOf('2026-10-25T02:30:00', 'Europe/Berlin')).toBe(Date.UTC(2026, 9, 25, 0, 30));
  });

  it('that is shown twice by a change of half an hour is the first one', () => {
    expect(momentOf('2026-04-05T01:45:00', 'Australia/Lord_Howe')).toBe(
      Date.UTC(2026, 3, 4, 14, 45),
    );
  });

  it('that clocks skip is after the jump', () => {
    expect(momentOf('2026-03-29T02:30:00', 'Europe/Berlin')).toBe(Date.UTC(2026, 2, 29, 1, 30));
    expect(momentOf('2026-10-04T02:15:00', 'Australia/Lord_Howe')).toBe(
      Date.UTC(2026, 9, 3, 15, 45),
    );
  });

  it('that is none is NaN', () => {
    expect(momentOf('yesterday', 'Europe/Moscow')).toBeNaN();
  });
});

describe('the offset of a zone', () => {
  it('is written as people write it', () => {
    const winter = Date.UTC(2026, 0, 15);
    expect(
      ['Europe/Moscow', 'America/New_York', 'Asia/Kolkata', 'UTC'].map((zone) =>
        offsetLabel(winter, zone),
      ),
    ).toEqual(['UTC+3', 'UTC−5', 'UTC+5:30', 'UTC+0']);
  });
});
