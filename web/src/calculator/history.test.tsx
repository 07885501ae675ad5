import { type CalculationChange, listCalculationChanges } from '@ridewatch/contract/calculation';
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { at, page } from '../test/made.ts';
import { calculation } from '../test/made-calculation.ts';
import { freshServer, showPart } from '../test/open.tsx';
import type { FakeServer } from '../test/server.ts';
import { History } from './history.tsx';

const ZONE = 'Europe/Moscow';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
});

const change = (id: number, more: Partial<CalculationChange> = {}): CalculationChange => ({
  ...{ id, version: id, field: 'driver', before: null, after: `Driver ${id}` },
  ...{ source: 'hand', at: at('20:58'), by: 'maria', ...more },
});
const open = async () => {
  const { hand } = await showPart(<History calculation={calculation()} zone={ZONE} />);
  return { hand, history: within(screen.getByRole('region', { name: 'History' })) };
};

describe('the history of a calculation', () => {
  it('says who changed what and when, and how the record came to be', async () => {
    server.answer(listCalculationChanges, {
      ...page([change(1, { field: 'fare', before: '44.00', after: '45.00' })]),
      created: {
        ...{ at: at('06:12'), copied_from: '2026-03-09', fare: '44.00' },
        ...{ salary_percent: '18.00', calculation_event: 'ENTERED' as const },
      },
    });
    const { history } = await open();
    expect(await history.findByText('44,00 ₽', { selector: 's' })).toBeVisible();
    expect(history.getByText('maria')).toBeVisible();
    expect(history.getByText('Copied from 09.03.2026')).toBeVisible();
  });

  it('leads to the first of many changes, page by page, and back', async () => {
    const total = 1001;
    server.answer(listCalculationChanges, ({ query }) => {
      const [number, size] = [Number(query.get('page')), Number(query.get('perPage'))];
      const first = total - number * size;
      const items = Array.from({ length: Math.min(size, first) }, (_, n) => change(first - n));
      return { items, number, total, created: null };
    });
    const { hand, history } = await open();
    await history.findByText('→ Driver 1001');
    for (let before = 902; before > 1; before -= 100) {
      await hand.click(history.getByRole('button', { name: 'Show earlier ones' }));
      await history.findByText(`→ Driver ${before - 1}`);
    }
    expect(history.getByText('→ Driver 1')).toBeVisible();
    expect(history.queryByRole('button', { name: 'Show earlier ones' })).not.toBeInTheDocument();
    await hand.click(history.getByRole('button', { name: 'Show later ones' }));
    expect(await history.findByText('→ Driver 2')).toBeVisible();
  });

  it('says 24:00 where a shift ends with its day', async () => {
    const shift = { field: 'shift_end' as const, before: at('21:40'), after: at('24:00') };
    server.answer(listCalculationChanges, { ...page([change(1, shift)]), created: null });
    const { history } = await open();
    expect(await history.findByText('→ 24:00')).toBeVisible();
  });
});
