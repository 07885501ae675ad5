// A bus of the simulated fleet whose cabin is filmed, and pages of its service tab.
import type { BusList } from '@ridewatch/contract/buses';
import { addDays, dayOf } from '@ridewatch/contract/day';
import type { Fragment } from '@ridewatch/contract/fragments';
import pg from 'pg';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openBrowser, type Visit } from './browser.ts';
import { startFleet } from './fleet.ts';
import { startProductOfFleet } from './prepared-fleet.ts';
import { ask, databaseUrl, type Product, signIn } from './product.ts';
import { openVisit } from './visits.ts';
import { ZONE } from './zone.ts';

const BUS = 'SIM-000001';
/** A bus of another customer. */
const FOREIGN_BUS = 'SIM-000003';

export interface Cabin {
  readonly product: Product;
  readonly browser: Browser;
  readonly database: pg.Client;
  readonly yesterday: string;
  readonly busId: number;
  /** Cameras of the bus, and the service camera of another customer's. */
  readonly cabinId: number;
  readonly doorId: number;
  readonly foreignCabinId: number;
  /** Opens a page as a user. */
  visit(login: string, options?: Visit): Promise<Page>;
  /** Closes the pages that `visit` opened. */
  leave(): Promise<void>;
  /** The address of the service tab. */
  service(search: string): string;
  /** Yesterday's fragments of the service camera, as an administrator sees them. */
  periods(): Promise<Fragment[]>;
  close(): Promise<void>;
}

/** Starts a product with the fleet. */
export async function openCabin(): Promise<Cabin> {
  const product = await startProductOfFleet();
  const fleet = await startFleet(product);
  const browser = await openBrowser();
  const database = new pg.Client({ connectionString: await databaseUrl(product) });
  await database.connect();
  const token = await signIn(product.url, 'admin');
  const { items } = await ask<BusList>(product.url, token, 'GET', '/api/bus_list');
  const cameraOf = (bus: number, live: boolean): number => {
    const { cameras = [] } = items.find(({ id }) => id === bus) ?? {};
    return cameras.find((camera) => camera.live === live)?.id ?? 0;
  };
  const busId = fleet.busIds.get(BUS) ?? 0;
  const cabinId = cameraOf(busId, true);
  // On some days a camera of the simulated bus fails.
  await database.query("update cameras set status = 'online' where workplace_id = $1", [busId]);
  const yesterday = addDays(dayOf(Date.now(), ZONE), -1);
  const contexts: BrowserContext[] = [];
  return {
    product,
    browser,
    database,
    yesterday,
    busId,
    cabinId,
    doorId: cameraOf(busId, false),
    foreignCabinId: cameraOf(fleet.busIds.get(FOREIGN_BUS) ?? 0, true),
    visit: async (login, options = {}) => {
      const context = await openVisit(browser, product.url, { ...options, as: login });
      contexts.push(context);
      return context.newPage();
    },
    leave: async () => {
      for (const context of contexts.splice(0)) await context.close();
    },
    service: (search) => `/bus/${busId}/service?${search}`,
    periods: async () => {
      const path = `/api/period_list/${cabinId}?startdate=${yesterday}&enddate=${yesterday}`;
      return (await ask<{ items: Fragment[] }>(product.url, token, 'GET', path)).items;
    },
    close: async () => {
      await database.end();
      await browser.close();
      await fleet.stop();
      await product.remove();
    },
  };
}
