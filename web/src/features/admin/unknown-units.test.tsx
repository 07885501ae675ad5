// Numbers that no unit has: one press makes a unit of one.

import { findAdminOverview } from '@ridewatch/contract/admin-sections';
import {
  adoptUnknownUnit,
  findUnknownUnit,
  ignoreUnknownUnit,
  listUnknownUnits,
  type UnknownUnit,
} from '@ridewatch/contract/admin-unknown-units';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { madeUnit } from '../../test/admin-unit.ts';
import { NOW } from '../../test/browser.ts';
import { admin, page } from '../../test/made.ts';
import { answerFleet, openDrawer } from '../../test/made-admin.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';
import { currentToasts } from '../../ui/toast-store.ts';

const unknown: UnknownUnit = {
  ...{ id: 3, protocol: 'egts', protocol_id: '133552', address: '10.1.2.3', records: 12 },
  ...{ first_at: NOW, last_at: NOW, sent_time: NOW, ignored: false },
  ...{ latitude: 55.7558, longitude: 37.6176 },
};

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  answerFleet(server);
  server.answer(listUnknownUnits, page([unknown]));
  server.answer(findUnknownUnit, unknown);
});

describe('a number that no unit has', () => {
  it('becomes a unit by one press, whose form asks for its bus', async () => {
    server.answer(adoptUnknownUnit, madeUnit);
    server.answer(findAdminOverview, {
      sections: (['units', 'unknown_units'] as const).map((section) => ({ section, count: 1 })),
      ...{ clients: [], video_off: null, closed_ports: [] },
    });
    const { hand, address } = await openScreen(server, '/admin/unknown_units/3', { user: admin });
    const drawer = within(await screen.findByRole('complementary'));
    expect(await drawer.findByText(/55\.7558, 37\.6176/)).toBeVisible();
    await hand.click(await drawer.findByRole('button', { name: 'Adopt the unit' }));
    await waitFor(() => expect(address()).toMatch(/\/admin\/units\/7\?edit=7$/));
    expect(currentToasts()).toMatchObject([{ text: 'The unit is adopted. Choose its bus' }]);
  });

  it.each([
    ['jt808', '13912345678', 'JT/T 808 13912345678'],
    ['osmand', 'van 7', 'OsmAnd van 7'],
  ] as const)('of %s is called by the name of its protocol: %s', async (protocol, id, title) => {
    const knocks = { ...unknown, protocol, protocol_id: id };
    server.answer(listUnknownUnits, page([knocks]));
    server.answer(findUnknownUnit, knocks);
    const { drawer } = await openDrawer(server, 'unknown_units', '3');
    expect(await drawer.findByRole('heading', { name: title })).toBeVisible();
  });

  it('that its protocol does not have cannot be adopted, and says what to do', async () => {
    const knocks = { ...unknown, protocol: 'jt808' as const, protocol_id: '007' };
    server.answer(listUnknownUnits, page([knocks]));
    server.answer(findUnknownUnit, knocks);
    const { drawer } = await openDrawer(server, 'unknown_units', '3');
    expect(await drawer.findByRole('alert')).toHaveTextContent(
      'first correct the number in the unit itself. This is no number of JT/T 808',
    );
    expect(drawer.getByRole('button', { name: 'Adopt the unit' })).toBeDisabled();
  });

  it('that is not ours is put aside', async () => {
    server.answer(ignoreUnknownUnit, () => {
      server.answer(findUnknownUnit, { ...unknown, ignored: true });
      return { ...unknown, ignored: true };
    });
    const { press, drawer } = await openDrawer(server, 'unknown_units', '3');
    await press('It is not ours');
    expect(await drawer.findByRole('button', { name: 'Treat as new again' })).toBeVisible();
    expect(server.asked(ignoreUnknownUnit).map(({ body }) => body)).toEqual([{ ignored: true }]);
  });
});
