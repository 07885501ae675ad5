// All rows that are found, chosen for one change: as many as it takes.
import { listAdminBuses } from '@ridewatch/contract/admin-buses';
import { MOST_SEVERAL } from '@ridewatch/contract/admin-several';
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { answerFleet, madeBus, openSection } from '../../test/made-admin.ts';
import { freshServer } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  answerFleet(server);
});

/** Opens so many buses and chooses all. @returns the box of the head, and what the bar says */
async function chooseAll(total: number) {
  const buses = Array.from({ length: total }, (_, at) => ({
    ...{ ...madeBus, id: at + 1, name: `А ${at + 1}` },
  }));
  server.answer(listAdminBuses, ({ query }) => {
    const [number, size] = [Number(query.get('page') ?? 0), Number(query.get('perPage') ?? 50)];
    return { items: buses.slice(number * size, (number + 1) * size), number, total };
  });
  const { hand } = await openSection(server, 'buses');
  const box = await screen.findByRole('checkbox', { name: /^Choose all rows/ });
  await hand.click(box);
  const bar = within(await screen.findByRole('region', { name: /chosen rows/ }));
  return { box, said: bar.getByRole('status').textContent };
}

describe('all rows that are found', () => {
  it('are as many as one change takes; box and bar say so, and how to change more', async () => {
    const { box, said } = await chooseAll(MOST_SEVERAL + 1);
    const more = 'to change more, go in parts: filter the list and choose again';
    expect(box).toHaveAccessibleName(`Choose all rows, ${MOST_SEVERAL} at most; ${more}`);
    expect(box).toHaveAttribute('title', `Choose all rows, ${MOST_SEVERAL} at most; ${more}`);
    expect(said).toBe(
      `200 chosen. No more than ${MOST_SEVERAL} rows can be changed at once; ${more}`,
    );
  });

  it('are all of them when one change takes them', async () => {
    const { box, said } = await chooseAll(MOST_SEVERAL);
    expect(box).toHaveAccessibleName('Choose all rows');
    expect(said).toBe('200 chosen');
  });
});
