import { findUnitAside } from '@ridewatch/contract/admin-aside';
import { findUnitFeed } from '@ridewatch/contract/admin-feed';
import { findAdminOverview } from '@ridewatch/contract/admin-sections';
import { type AdminUnit, findUnit, listUnits } from '@ridewatch/contract/admin-units';
import { NOW } from './browser.ts';
import { page } from './made.ts';
import type { FakeServer } from './server.ts';

/** A unit of no bus that has sent. */
export const madeUnit: AdminUnit = {
  ...{ id: 7, device_id: 'RW-7', bus: null, client: null, assigned_from: null },
  ...{ enabled: true, last_seen_at: NOW, protocol: null, protocol_id: null },
  ...{ egts_counts: 'delta', egts_raw_flag: 'low', egts_module_bytes: 'little' },
  ...{ firmware: null, clock_offset_ms: null, backlog_from: null, credentials: 1 },
  ...{ credential_issued_at: NOW, test_since: null, releasing: null, created_at: NOW },
};

/** Makes the server answer with one unit, its feed empty and no record kept aside. */
export function answerUnit(server: FakeServer, unit: AdminUnit = madeUnit): void {
  server.answer(findAdminOverview, {
    ...{
      sections: [{ section: 'units', count: 1 }],
      clients: [],
      video_off: null,
      closed_ports: [],
    },
  });
  server.answer(listUnits, page([unit]));
  server.answer(findUnit, unit);
  server.answer(findUnitFeed, { listening_until: null, items: [] });
  server.answer(findUnitAside, { total: 0, items: [] });
}
