import { findUnitAside } from '@ridewatch/contract/admin-aside';
import { findUnitFeed } from '@ridewatch/contract/admin-feed';
import { findAdminOverview } from '@ridewatch/contract/admin-sections';
import { type AdminUnit, findUnit, listUnits } from '@ridewatch/contract/admin-units';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { admin, page } from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';

const AT = '2026-11-20T06:00:00Z';
const unit: AdminUnit = {
  ...{ id: 7, device_id: 'RW-7', bus: null, client: null, enabled: true, last_seen_at: AT },
  ...{ firmware: null, clock_offset_ms: null, backlog_from: null, credentials: 1 },
  ...{ credential_issued_at: AT, test_since: null, created_at: AT, version: 0 },
  releasing: { released: 120_000, total: 270_000 },
};

it('a unit whose test is being counted says how far it is, and begins no other test', async () => {
  const server = freshServer();
  server.answer(findAdminOverview, {
    sections: [{ section: 'units', count: 1 }],
    clients: [],
    video_off: null,
  });
  server.answer(listUnits, page([unit]));
  server.answer(findUnit, unit);
  server.answer(findUnitFeed, { listening_until: null, items: [] });
  server.answer(findUnitAside, { total: 0, items: [] });
  await openScreen(server, '/admin/units/7', { user: admin });
  expect(await screen.findByText(/Being counted: 120.000 of 270.000 records/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Begin the test' })).toBeDisabled();
  server.answer(findUnit, { ...unit, releasing: null });
  server.answer(listUnits, page([{ ...unit, releasing: null }]));
  await expect.poll(() => screen.queryByText(/Being counted/), { timeout: 5000 }).toBeNull();
  expect(screen.getByRole('button', { name: 'Begin the test' })).toBeEnabled();
});
