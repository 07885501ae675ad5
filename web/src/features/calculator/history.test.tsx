import {
  type CalculationChange,
  type CountChange,
  listCalculationChanges,
} from '@ridewatch/contract/calculation-history';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { at, page } from '../../test/made.ts';
import { calculation } from '../../test/made-calculation.ts';
import { freshServer, showPart } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';
import { History } from './history.tsx';

const ZONE = 'Europe/Moscow';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
});

const change = (id: number, more: Partial<CalculationChange> = {}): CalculationChange => ({
  ...{ kind: 'value', id, version: id, field: 'driver', before: null, after: `Driver ${id}` },
  ...{ source: 'hand', at: at('20:58'), by: 'maria', ...more },
});
const open = async () => {
  const onFragment = vi.fn();
  const part = (counted: string | undefined) => (
    <History calculation={calculation()} zone={ZONE} counted={counted} onFragment={onFragment} />
  );
  const { hand, showAgain } = await showPart(part(undefined));
  const showCounted = (counted: string) => showAgain(part(counted));
  return {
    hand,
    onFragment,
    showCounted,
    history: within(screen.getByRole('region', { name: 'History' })),
  };
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

  it('has the manual counts of fragments, which it opens, and reads again when somebody changes them', async () => {
    const counts = (id: number, sides: CountChange['sides']): CountChange => ({
      ...{ kind: 'count', id, segment_id: 5, door: 2, time: at('17:21'), sides },
      ...{ at: at('20:41'), by: 'maria' },
    });
    const first = counts(1, [{ side: 'entered', before: null, after: 7 }]);
    const second = counts(2, [
      { side: 'entered', before: 7, after: null },
      { side: 'exited_kids', before: null, after: 0 },
    ]);
    const answer = (items: CountChange[]) =>
      server.answer(listCalculationChanges, { ...page(items), created: null });
    answer([first]);
    const { hand, history, onFragment, showCounted } = await open();
    const row = await history.findByRole('listitem');
    expect(row).toHaveTextContent(
      '20:41Correction 17:21:00 · Door 2counter → 7 adults enteredmaria',
    );
    showCounted('one');
    answer([second, first]);
    showCounted('another');
    const rows = await waitFor(() => {
      const found = history.getAllByRole('listitem');
      expect(found).toHaveLength(2);
      return found;
    });
    expect(rows[0]).toHaveTextContent('7 → counter adults enteredcounter → 0 children exited');
    const [link] = history.getAllByRole('button', { name: 'Fragment 17:21:00' });
    if (link) await hand.click(link);
    expect(onFragment).toHaveBeenCalledWith(5);
  });
});
