import { type AsideGroup, findUnitAside } from '@ridewatch/contract/admin-aside';
import { findUnitFeed } from '@ridewatch/contract/admin-feed';
import { findAdminOverview } from '@ridewatch/contract/admin-sections';
import { findUnitPorts, type UnitPorts } from '@ridewatch/contract/admin-unit-ports';
import { type AdminUnit, findUnit, listUnits } from '@ridewatch/contract/admin-units';
import type { UnknownUnit } from '@ridewatch/contract/admin-unknown-units';
import { NOW } from './browser.ts';
import { page } from './made.ts';
import type { FakeServer } from './server.ts';

/** A unit of no bus that has sent. */
export const madeUnit: AdminUnit = {
  ...{ id: 7, device_id: 'RW-7', bus: null, client: null, assigned_from: null },
  ...{ enabled: true, last_seen_at: NOW, protocol: null, protocol_id: null },
  ...{ egts_counts: 'delta', egts_raw_flag: 'low', egts_module_bytes: 'little' },
  ...{ jt808_clock_hours: 8, jt808_door: 1, jt808_uploads: 'any', osmand_speed: 'knots' },
  ...{ firmware: null, clock_offset_ms: null, backlog_from: null, credentials: 1 },
  ...{ credential_issued_at: NOW, test_since: null, releasing: null, created_at: NOW },
};

/** Records of a unit without a time: four people in, one out. */
export const madeAside: AsideGroup = {
  ...{ id: 3, received_at: NOW, entered: 4, exited: 1, positions: 2, others: 0 },
  ...{ sent_from: '1970-01-01T00:00:10.000Z', sent_to: '1970-01-01T00:01:10.000Z' },
  ...{ before: null, after: NOW, raw: ['{"type":"passenger","seq":1}'] },
};

/** An id of EGTS that no unit has. */
export const madeUnknown: UnknownUnit = {
  ...{ id: 3, protocol: 'egts', protocol_id: '133552', address: '10.1.2.3', records: 12 },
  ...{ first_at: NOW, last_at: NOW, sent_time: NOW, ignored: false },
  ...{ latitude: 55.7558, longitude: 37.6176, counted_time: null },
  ...{ door: null, entered: null, exited: null },
};

const OPEN = { is_limited: false, closed: null, last_refused: null } as const;

/** The ports to which units of other protocols send in these tests. */
export const madePorts: UnitPorts = {
  public_url: 'https://bus.example',
  protocols: [
    { protocol: 'egts', port: 20_332, ...OPEN },
    { protocol: 'jt808', port: 20_808, ...OPEN },
    { protocol: 'osmand', port: null, ...OPEN },
  ],
  closed_video_ports: [],
  off_video_ports: [],
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
  server.answer(findUnitPorts, madePorts);
}
