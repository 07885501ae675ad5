// The unit of the book as one that speaks another protocol: the fleet of the book speaks the unit interface.
import type { UnitPorts } from '@ridewatch/contract/admin-unit-ports';
import type { AdminUnit } from '@ridewatch/contract/admin-units';
import type { UnitProtocol } from '@ridewatch/contract/unit-protocols';
import type { Page, Route } from 'playwright-core';

const IDS: Readonly<Record<UnitProtocol, string>> = {
  egts: '133552',
  jt808: '79161234567',
  osmand: '7f3a9c1be04d4f6a8d52c3b1e96f0a47',
};
const OPEN = { is_limited: false, closed: null, last_refused: null } as const;
const PORTS: UnitPorts = {
  public_url: 'https://buses.example',
  protocols: [
    { protocol: 'egts', port: 20_332, ...OPEN },
    { protocol: 'jt808', port: 20_808, ...OPEN },
    { protocol: 'osmand', port: null, ...OPEN },
  ],
  closed_video_ports: [],
  off_video_ports: [],
};

/** Reloads an open page as if its unit spoke a protocol, on a server with the usual ports. */
export function speaking(protocol: UnitProtocol): (page: Page) => Promise<void> {
  const speak = async (route: Route) => {
    const response = await route.fetch();
    const unit: AdminUnit = await response.json();
    await route.fulfill({ response, json: { ...unit, protocol, protocol_id: IDS[protocol] } });
  };
  return async (page) => {
    const one = /\/api\/admin\/units\/\d+$/;
    await page.unroute(one);
    await page.route(one, speak);
    await page.route('**/api/admin/unit-ports', (route) => route.fulfill({ json: PORTS }));
    await page.reload();
    await page.locator('main').first().waitFor();
  };
}
