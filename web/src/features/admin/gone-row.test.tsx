// A row that somebody else has deleted while its drawer is open here.
import { findAdminBus, listAdminBuses, setBusSettings } from '@ridewatch/contract/admin-buses';
import { findCustomer, listCustomers, updateCustomer } from '@ridewatch/contract/admin-customers';
import {
  deleteGroup,
  findGroup,
  listClassifiers,
  listGroups,
  mergeClassifiers,
} from '@ridewatch/contract/admin-groups';
import {
  type AdminNews,
  deleteNews,
  findAdminNews,
  listAdminNews,
  listNewsReaders,
} from '@ridewatch/contract/admin-news';
import { type FailedBusDay, listFailedDays, retryFailedDay } from '@ridewatch/contract/admin-work';
import { findRetention } from '@ridewatch/contract/retention';
import { updateRoute } from '@ridewatch/contract/routes';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW } from '../../test/browser.ts';
import { page } from '../../test/made.ts';
import {
  answerFleet,
  madeBus,
  madeCustomer,
  madePlace,
  madeRoute,
  openDrawer,
} from '../../test/made-admin.ts';
import { freshServer } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';
import { currentToasts } from '../../ui/toast-store.ts';

const item: AdminNews = {
  ...{ id: 2, type: 'NEWS', title: 'Ремонт', text: 'Ночью.', active: true, readers: 0 },
  ...{ date_from: '2026-03-01', media: null, created_at: NOW },
};
const day: FailedBusDay = {
  ...{ id: 3, bus: { id: 12, name: 'А 472 КМ' }, date: '2026-03-09', reason: 'too_long' },
  ...{ failures: 2, taken_at: NOW, retry_at: null, waits: false },
};

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  answerFleet(server);
});

/** The drawer says that the row is gone, the list has it no more, and no toast calls it an error. */
async function isGoneFromPage(words = /It was deleted, or you may not see it\.$/) {
  const said = await screen.findByText(words);
  expect(said).toHaveRole('alert');
  expect(await screen.findByRole('heading', { name: 'Nothing here yet' })).toBeVisible();
  expect(currentToasts()).toEqual([]);
}

describe('a row that somebody else has deleted', () => {
  const deleteRoute = () => {
    server.answer(listGroups, page([]));
    server.refuse(findGroup, 'not_found');
  };

  it('is said to be gone when its form is saved, which keeps what was typed', async () => {
    const { press, write, field } = await openDrawer(server, 'groups', '4');
    await press('Edit');
    await write('Name', '157');
    deleteRoute();
    server.refuse(updateRoute, 'not_found');
    await press('Save');
    expect(await screen.findByText(/^There is no such row\./)).toBeVisible();
    expect(await field('Name')).toHaveValue('157');
    await press('Cancel');
    await isGoneFromPage();
  });

  it('keeps what was typed in the forms of its parts, too', async () => {
    const settings = [{ ...madeBus, valid_from: '2026-01-01' }];
    server.answer(findAdminBus, { ...madeBus, settings, owners: [] });
    const { drawer, hand, press, write, field } = await openDrawer(server, 'buses', '12');
    const change = await drawer.findByRole('button', { name: 'Change from a day on' });
    await waitFor(() => expect(change).toBeEnabled());
    await hand.click(change);
    await press('5 March 2026');
    await write('Time zone', 'Asia/Omsk');
    server.answer(listAdminBuses, page([]));
    server.refuse(findAdminBus, 'not_found');
    server.refuse(setBusSettings, 'not_found');
    await press('Save');
    await isGoneFromPage();
    expect(await field('Time zone')).toHaveValue('Asia/Omsk');
    await press('Close');
    expect(await screen.findByRole('dialog')).toHaveTextContent('unsaved');
  });

  it('leaves what its parts told, without an error', async () => {
    server.answer(listCustomers, page([madeCustomer]));
    server.answer(findCustomer, madeCustomer);
    server.answer(findRetention, {
      ...{ client_id: 1, video_days: 30, files_days: null, positions_days: null },
      defaults: { video_days: 90, files_days: 7, positions_days: 400 },
    });
    const { drawer, press, write, field } = await openDrawer(server, 'customers', '1');
    await press('Edit');
    await write('Surname', 'Котова');
    server.answer(listCustomers, page([]));
    for (const endpoint of [findCustomer, findRetention, updateCustomer]) {
      server.refuse(endpoint, 'not_found');
    }
    await press('Save');
    await isGoneFromPage();
    expect(await field('Surname')).toHaveValue('Котова');
    await press('Cancel');
    expect(await drawer.findByText('Keep for days')).toBeVisible();
    await isGoneFromPage();
  });

  it('is not gone because a proxy says so', async () => {
    const { press, write, drawer } = await openDrawer(server, 'groups', '4');
    await press('Edit');
    await write('Name', '157');
    server.answer(updateRoute, () => new Response('<h1>Not Found</h1>', { status: 404 }));
    await press('Save');
    await waitFor(() => expect(currentToasts()).toHaveLength(1));
    expect(drawer.queryByText(/There is no such row/)).not.toBeInTheDocument();
  });

  it('is said to be gone when it is deleted here, too', async () => {
    const { press, confirm } = await openDrawer(server, 'groups', '4');
    deleteRoute();
    server.refuse(deleteGroup, 'not_found');
    await press('Delete the route');
    await confirm('Delete the route');
    await isGoneFromPage();
  });

  it('is said to be gone when it is opened from a list that still has it', async () => {
    server.refuse(findGroup, 'not_found');
    let isListed = true;
    server.answer(listGroups, () => page(isListed ? [madeRoute] : []));
    const { hand } = await openDrawer(server, 'groups', 'new');
    const link = await screen.findByRole('link', { name: '156' });
    isListed = false;
    await hand.click(link);
    await isGoneFromPage();
  });

  it('takes its readers along without an error', async () => {
    server.answer(listAdminNews, page([item]));
    server.answer(findAdminNews, item);
    server.answer(listNewsReaders, page([]));
    const { press, confirm, drawer } = await openDrawer(server, 'news', '2');
    await drawer.findByText('Nobody has read it yet.');
    server.answer(listAdminNews, page([]));
    for (const endpoint of [findAdminNews, listNewsReaders, deleteNews]) {
      server.refuse(endpoint, 'not_found');
    }
    await press('Delete');
    await confirm('Delete');
    await isGoneFromPage();
  });

  it('is told apart from something else that is gone, which a toast says', async () => {
    const other = { ...madePlace, id: 7, name: 'Рынок южный' };
    server.answer(listClassifiers, page([madePlace, other]));
    server.refuse(mergeClassifiers, 'not_found');
    const { choose, press, confirm } = await openDrawer(server, 'classifiers', '3');
    await choose('Merge into the stop', 'Рынок южный · № 7');
    await press('Merge');
    await confirm('Merge');
    await waitFor(() => expect(currentToasts()).toMatchObject([{ kind: 'error' }]));
    expect(screen.getByRole('heading', { name: 'Рынок' })).toBeVisible();
  });
});

describe('work that has ended meanwhile', () => {
  it('is said to be gone when a day is to be worked out again', async () => {
    server.answer(listFailedDays, page([day]));
    const { press } = await openDrawer(server, 'days', '3');
    server.answer(listFailedDays, page([]));
    server.answer(retryFailedDay, undefined);
    await press('Try again');
    await isGoneFromPage(/It was worked out, or you may not see its bus\.$/);
  });
});
