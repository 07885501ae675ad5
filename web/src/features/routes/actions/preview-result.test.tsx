import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import { PreviewResult } from './preview-result.tsx';
import { daysToBegin, type Preview } from './preview-span.ts';

// The language is in local storage, which this environment does not have.
vi.mock('../../../i18n/language.ts', () => ({ useLanguage: () => 'en_US' }));

const [FROM, TO] = ['2026-03-01', '2026-03-14'];
const change = {
  date: '2026-03-02',
  laps_before: 3,
  laps_after: 4,
  revenue_before: null,
  revenue_after: null,
};
const failedOn = (date: string): Preview['failed'] => [{ date, reason: 'too_long' }];
const whole: Preview = { items: [change], failed: [], looked_until: TO };
const drawn = (of: Preview, from = FROM): string =>
  renderToStaticMarkup(<PreviewResult of={of} from={from} to={TO} />);

describe('a preview of a recalculation', () => {
  it('that looked at all days offers to recalculate those that change', () => {
    expect(drawn(whole)).not.toContain('not looked at');
    expect(daysToBegin(whole, FROM, TO)).toBe(1);
    const same = { ...whole, items: [] };
    expect(drawn(same)).toContain('No day would change.');
    expect(daysToBegin(same, FROM, TO)).toBe(0);
  });

  it('that looked at a part says so, and offers to recalculate all', () => {
    const part = { ...whole, looked_until: '2026-03-03' };
    expect(drawn(part)).toContain('The first 3 days of 14: the changes are below.');
    expect(drawn(part)).toContain('The rest was not checked');
    expect(daysToBegin(part, FROM, TO)).toBe(14);
    const none = { items: [], failed: failedOn(FROM), looked_until: FROM };
    expect(drawn(none)).toContain('The first day of 14: no changes.');
    expect(daysToBegin(none, FROM, TO)).toBe(14);
  });

  it('whose days have all failed does not say that none would change', () => {
    const one = { items: [], failed: failedOn(TO), looked_until: TO };
    expect(drawn(one, TO)).not.toContain('No day would change.');
    expect(drawn(one, TO)).toContain('took more than 20 seconds');
  });
});
