// Numbers that no unit has: one press makes a unit of one. The form of a unit has its protocol.

import { findAdminOverview } from '@ridewatch/contract/admin-sections';
import { updateUnit } from '@ridewatch/contract/admin-units';
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
    await hand.click(await drawer.findByRole('button', { name: 'Take the unit' }));
    await waitFor(() => expect(address()).toMatch(/\/admin\/units\/7\?edit=7$/));
    expect(currentToasts()).toMatchObject([{ text: 'The unit is taken. Choose its bus' }]);
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

describe('the form of a unit', () => {
  it('asks for the number in a protocol, and how the device departs from the standard', async () => {
    server.answer(updateUnit, { ...madeUnit, protocol: 'egts', protocol_id: '133552' });
    const { press, choose, write, drawer } = await openDrawer(server, 'units', '7');
    await press('Edit');
    expect(drawer.queryByLabelText('Number of the object, or IMEI')).not.toBeInTheDocument();
    await choose('Protocol', 'EGTS');
    await write('Number of the object, or IMEI', '133552');
    await choose('What the counter sends', 'what the counter shows');
    await press('Save');
    await waitFor(() =>
      expect(server.asked(updateUnit).map(({ body }) => body)).toEqual([
        {
          ...{ protocol: 'egts', protocol_id: '133552', egts_counts: 'cumulative' },
          seen: { protocol: null, protocol_id: null, egts_counts: 'delta' },
        },
      ]),
    );
  });
});
