// A double press, whose second comes before the first is drawn, makes one call: a secret is shown once.

import { findUnitAside, placeUnitAside } from '@ridewatch/contract/admin-aside';
import { listAdminBuses } from '@ridewatch/contract/admin-buses';
import { runImport } from '@ridewatch/contract/admin-import';
import { createUnit, findUnit, rotateCredential } from '@ridewatch/contract/admin-units';
import {
  adoptUnknownUnit,
  findUnknownUnit,
  listUnknownUnits,
} from '@ridewatch/contract/admin-unknown-units';
import { makePasswordLink } from '@ridewatch/contract/password-links';
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { madeAside, madeUnit, madeUnknown } from '../../test/admin-unit.ts';
import { NOW } from '../../test/browser.ts';
import { chooseTable, loaded, startTable } from '../../test/loaded-table.ts';
import { page } from '../../test/made.ts';
import { answerFleet, openDrawer } from '../../test/made-admin.ts';
import { freshServer } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  answerFleet(server);
});
/** Presses a button twice before the page is drawn again. */
const pressTwice = (button: HTMLElement) =>
  act(() => {
    button.click();
    button.click();
  });

describe('a double press', () => {
  it('loads a table once, and its credentials are kept', async () => {
    const made = startTable();
    const { dialog, load } = await chooseTable(made.server);
    pressTwice(load);
    made.answerLoad(loaded);
    expect(await dialog.findByText(/Credential of 1 unit/)).toBeVisible();
    expect(made.server.asked(runImport)).toHaveLength(1);
  });

  it('creates one unit with one credential', async () => {
    server.answer(listAdminBuses, page([]));
    let made = 0;
    server.answer(createUnit, () => {
      made += 1;
      return { unit: madeUnit, credential: `rwu_${made}` };
    });
    const { drawer, write, choose } = await openDrawer(server, 'units', 'new');
    await write('Device id', 'RW-7');
    await choose('Customer', 'Иван');
    pressTwice(drawer.getByRole('button', { name: 'Create' }));
    expect(await screen.findByText('rwu_1')).toBeVisible();
    expect(server.asked(createUnit)).toHaveLength(1);
  });

  it('issues one credential of a unit, and the next press another', async () => {
    server.answer(findUnit, madeUnit);
    let made = 0;
    server.answer(rotateCredential, () => {
      made += 1;
      return { unit: madeUnit, credential: `rwu_${made}` };
    });
    const { drawer, press } = await openDrawer(server, 'units', '7');
    pressTwice(await drawer.findByRole('button', { name: 'Replace the credential' }));
    expect(await drawer.findByText('rwu_1')).toBeVisible();
    expect(server.asked(rotateCredential)).toHaveLength(1);
    await press('Replace the credential');
    expect(await drawer.findByText('rwu_2')).toBeVisible();
  });

  it('adopts a number once', async () => {
    server.answer(listUnknownUnits, page([madeUnknown]));
    server.answer(findUnknownUnit, madeUnknown);
    server.answer(findUnit, madeUnit);
    server.answer(adoptUnknownUnit, madeUnit);
    const { drawer, address } = await openDrawer(server, 'unknown_units', '3');
    pressTwice(await drawer.findByRole('button', { name: 'Adopt the unit' }));
    await waitFor(() => expect(address()).toMatch(/\/admin\/units\/7/));
    expect(server.asked(adoptUnknownUnit)).toHaveLength(1);
  });

  it('places records without a time once', async () => {
    server.answer(findUnit, madeUnit);
    server.answer(findUnitAside, { total: 5, items: [madeAside] });
    server.answer(placeUnitAside, () => {
      server.answer(findUnitAside, { total: 0, items: [] });
      return { total: 0, items: [] };
    });
    const { drawer, press } = await openDrawer(server, 'units', '7');
    await drawer.findByText(/4 entered, 1 exited/);
    await press('Right before the next');
    pressTwice(drawer.getByRole('button', { name: 'Count them' }));
    await waitFor(() => expect(drawer.queryByText(/4 entered, 1 exited/)).toBeNull());
    expect(server.asked(placeUnitAside)).toHaveLength(1);
  });

  it('makes one link for a password', async () => {
    server.answer(makePasswordLink, { path: '/new-password#1', expires_at: NOW, mail: 'none' });
    const { drawer } = await openDrawer(server, 'users', '9');
    pressTwice(await drawer.findByRole('button', { name: 'Make a link' }));
    expect(await drawer.findByText(/#1$/)).toBeVisible();
    expect(server.asked(makePasswordLink)).toHaveLength(1);
  });
});
