// A system to which records are passed on, and a bus that it gets.
import type { Upstream, UpstreamBus } from '@ridewatch/contract/admin-upstreams';
import { NOW } from './browser.ts';
import { ivan } from './made-admin.ts';

export const upstream: Upstream = {
  ...{ id: 4, name: 'Регион', host: 'egts.region.example', port: 20_332, enabled: true },
  ...{ sign_in: 'none', sign_in_id: null, sign_in_text: null, all_clients: false },
  ...{ client_ids: [2], clients: [ivan], with_people: true, late_minutes: 10, created_at: NOW },
  ...{ connected_since: NOW, last_confirmed_at: NOW, fault: null, fault_code: null },
  ...{
    fault_since: null,
    waiting_since: NOW,
    waiting: 1200,
    more_waiting: false,
    confirmed: 5000,
    fallen: 0,
  },
  ...{ fallen_at: null, buses: 2, unnumbered: 1, next_try_at: null },
  refused: [{ code: 154, records: 7, last_at: NOW, bus: { id: 12, name: 'А 472 КМ' } }],
  unregistered: {
    ...{ buses: 1, named: [{ id: 13, name: 'М 501 ТТ' }], records: 58, more: false, since: NOW },
  },
};
export const upstreamBus: UpstreamBus = {
  ...{ id: 12, name: 'А 472 КМ', client: ivan, object_id: null, unit_object_id: null },
};
