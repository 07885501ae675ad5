// How long things of a customer are kept, in the customer's drawer.
import { findCustomer, listCustomers } from '@ridewatch/contract/admin-customers';
import { findRetention, setRetention } from '@ridewatch/contract/retention';
import { act, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '../../calls/api.ts';
import { page } from '../../test/made.ts';
import { madeCustomer, openDrawer } from '../../test/made-admin.ts';
import { freshServer } from '../../test/open.tsx';
import { type FakeServer, refusal } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(listCustomers, page([madeCustomer]));
  server.answer(findCustomer, madeCustomer);
  answerDays(30);
});
const answerDays = (video_days: number | null) =>
  server.answer(findRetention, {
    ...{ client_id: 1, video_days, files_days: null, positions_days: null },
    defaults: { video_days: 90, files_days: 7, positions_days: 400 },
  });
const open = () => openDrawer(server, 'customers', '1');

describe('the days of a customer', () => {
  it('are shown, those of the installation where the customer has none', async () => {
    const { drawer } = await open();
    const days = (await drawer.findByText('Keep for days')).closest('section') as HTMLElement;
    const told = within(days).getAllByRole('definition');
    expect(told.map(({ textContent }) => textContent)).toEqual([
      '30',
      '7 by default',
      '400 by default',
    ]);
  });

  it('stay as they are typed while somebody else changes them, whose change is told when they are saved', async () => {
    const { drawer, field, press, write } = await open();
    await press('Change the days');
    await write('Video', '60');
    answerDays(45);
    await act(() => queryClient.refetchQueries({ queryKey: [findRetention.path] }));
    expect(await field('Video')).toHaveValue('60');
    server.answer(setRetention, refusal('conflict', { field: 'seen.video_days' }));
    await press('Save');
    expect(await drawer.findByText(/has changed “Video” meanwhile, it is now: 45/)).toBeVisible();
    expect(server.asked(setRetention)[0]?.body).toEqual({
      ...{ video_days: 60, seen: { video_days: 30 } },
    });
    expect(await field('Video')).toHaveValue('60');
  });

  it('are shown again when they are saved', async () => {
    server.answer(setRetention, () => {
      answerDays(60);
      return undefined as never;
    });
    const { drawer, press, write } = await open();
    await press('Change the days');
    await write('Video', '60');
    await press('Save');
    expect(await drawer.findByText('60')).toBeVisible();
    await waitFor(() => expect(drawer.queryByRole('textbox')).not.toBeInTheDocument());
  });
});
