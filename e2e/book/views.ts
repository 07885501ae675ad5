// The screenshot book shows these views of each screen, and the story about all screens walks through them. The
// compiler asks for a row of each path in the table of screens.
import { AdminSection } from '@ridewatch/contract/admin-sections';
import { addDays } from '@ridewatch/contract/day';
import { UnitProtocol } from '@ridewatch/contract/unit-protocols';
import type { pagePaths, tabPaths } from '@ridewatch/web/src/shell/paths.ts';
import type { Page, Route } from 'playwright-core';
import { speaking } from './protocol-unit.ts';

/** The path of a screen; those before sign-in are outside of the table. */
export type ScreenPath =
  | (typeof pagePaths | typeof tabPaths)[number]['path']
  | '/login'
  | '/new-password'
  | '/setup'
  | '/second-factor'
  | '/openid';

/** The objects that the addresses of a product's screens name. */
export interface Subject {
  /** A bus with as much as there is to show. */
  readonly busId: number;
  /** A bus with cameras in the cabin, and one on a route with a price table. */
  readonly cabinId: number;
  readonly pricedId: number;
  /** A local day of these buses. */
  readonly day: string;
  /** The last day, for statistics. */
  readonly today: string;
  /** An on-board unit; 0 without one. */
  readonly unitId: number;
  /** The first row of sections of the administration; absent: it has none. */
  readonly rowIds: Readonly<Partial<Record<AdminSection, number>>>;
  /** Path of a link for a new password. */
  readonly passwordPath: string;
}

export interface View {
  /** File name of its pictures, without the extension. */
  readonly name: string;
  readonly address: (subject: Subject) => string;
  /** Opens a part of the screen; by default nothing. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** Needs data that an empty installation cannot have. */
  readonly needsData?: boolean;
  /** How the visitor ends its session for it; the views after it have none. */
  readonly ends?: 'by a view' | 'by sign-out';
}

const view = (name: string, address: string): View => ({ name, address: () => address });
const lastWeek = ({ today }: Subject): string => `from=${addDays(today, -6)}&to=${today}`;
/** The filters of lists that do not have the row otherwise. */
const ITS_LIST: Readonly<Partial<Record<AdminSection, string>>> = {
  unknown_units: '?state=ignored',
};
/** The drawer of a section's first row. */
const drawer = (section: AdminSection): View => ({
  name: `admin-${section}-drawer`,
  address: ({ rowIds }) => `/admin/${section}/${rowIds[section] ?? 0}${ITS_LIST[section] ?? ''}`,
  needsData: true,
});
const bus = ({ busId }: Subject): string => `/bus/${busId}`;
const ofDay = ({ day }: Subject): string => `date=${day}`;

// A page that could not read its data may lack it.
async function press(page: Page, name: RegExp): Promise<boolean> {
  const button = page.getByRole('button', { name }).filter({ visible: true });
  if ((await button.count()) === 0) return false;
  await button.first().click();
  return true;
}

async function openNotifications(page: Page): Promise<void> {
  await press(page, /^(Уведомления|События|Notifications|Events)/);
  await page.getByText(/^(Загрузка|Loading)/).waitFor({ state: 'hidden' });
}

// The products of the book have an administrator, so their servers refuse every such link.
async function openSetupLink(page: Page): Promise<void> {
  await page.route('**/api/auth/setup-link', (route) => route.fulfill({ status: 204 }));
  await page.reload();
  await page.locator('form').waitFor();
}

// No role of the book's products needs one. The next screen asks the server again, which then says so.
async function needSecondFactor(page: Page): Promise<void> {
  const bind = async (route: Route) => {
    const response = await route.fetch();
    const user = await response.json();
    await route.fulfill({ response, json: { ...user, must_set_up_second_factor: true } });
  };
  await page.route('**/api/auth/me', bind, { times: 1 });
  await page.evaluate(() => {
    const key = 'ridewatch.session';
    const stored = JSON.parse(localStorage.getItem(key) ?? '');
    stored.signedIn.user.must_set_up_second_factor = true;
    localStorage.setItem(key, JSON.stringify(stored));
  });
  await page.goto('/second-factor');
  await page.locator('form').waitFor();
}

// The first bus lacks a name, the second has a word for its seats.
const FAULTY_TABLE = 'Название;Клиент;Сидячих мест\n;Анна;31\nА 472 КМ;Анна;много\n';

const openImport = (page: Page) => press(page, /^(Загрузить из таблицы|Load a table)/);

async function openTable(page: Page): Promise<void> {
  if (!(await openImport(page))) return;
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'buses.csv', mimeType: 'text/csv', buffer: Buffer.from(FAULTY_TABLE) });
  await page.getByRole('dialog').getByRole('table').waitFor();
}

// A phone has no boxes to choose by.
async function chooseAllRows(page: Page): Promise<void> {
  const box = page.getByRole('checkbox', { name: /^(Выбрать все|Choose all)/ });
  if ((await box.count()) > 0) await box.click();
}

// The call that the drawer of a user makes. Reads of a failing product end it.
async function viewAsCustomer(page: Page): Promise<void> {
  const isViewing = await page.evaluate(async () => {
    const stored = JSON.parse(localStorage.getItem('ridewatch.session') ?? '');
    const ask = async (address: string, access: string, method = 'GET') => {
      const answer = await fetch(address, {
        method,
        headers: { authorization: `Bearer ${access}` },
      });
      return answer.json();
    };
    const { access } = stored.signedIn;
    const { items = [] } = await ask('/api/admin/users?perPage=100', access);
    const [customer] = items.filter(({ role }: { role: string }) => role === 'CUSTOMER');
    if (customer === undefined) return false;
    const tokens = await ask(`/api/admin/users/${customer.id}/view`, access, 'POST');
    const user = await ask('/api/auth/me', tokens.access_token);
    const view = { access: tokens.access_token, refresh: tokens.refresh_token, user };
    sessionStorage.setItem('ridewatch.view', JSON.stringify(view));
    return true;
  });
  await page.reload();
  await page.locator('main').first().waitFor();
  if (!isViewing) return;
  // The bell asks some seconds later, and the menus show what it was told.
  await page.waitForFunction(
    () => JSON.parse(sessionStorage.getItem('ridewatch.view') ?? '').menu !== undefined,
  );
}

/** The sections of which a drawer is shown, besides that of a bus. */
export const shownDrawers = [
  ...['customers', 'keys', 'unknown_units', 'cameras'],
  ...['groups', 'classifiers', 'upstreams', 'audit', 'storage'],
] as const satisfies readonly AdminSection[];

/** The views of each screen. */
export const views: Readonly<Record<ScreenPath, readonly View[]>> = {
  '/login': [{ name: 'login', address: () => '/login', ends: 'by sign-out' }],
  '/openid': [
    { name: 'openid', address: () => '/openid?state=shown&code=shown', ends: 'by sign-out' },
  ],
  '/new-password': [
    view('new-password-broken', '/new-password'),
    { name: 'new-password', address: ({ passwordPath }) => passwordPath },
  ],
  '/setup': [
    view('setup-broken', '/setup'),
    { name: 'setup', address: () => '/setup#shown', act: openSetupLink },
  ],
  '/second-factor': [{ name: 'second-factor', address: () => '/account', act: needSecondFactor }],
  '/': [
    view('home', '/'),
    {
      name: 'notifications',
      address: () => '/',
      act: openNotifications,
    },
    {
      ...{ name: 'home-viewed', address: () => '/', act: viewAsCustomer },
      ...{ needsData: true, ends: 'by a view' },
    },
  ],
  '/buses': [
    view('buses', '/buses'),
    { name: 'keys', address: () => '/buses', act: (page) => page.keyboard.press('Shift+Slash') },
  ],
  '/review': [view('review', '/review')],
  '/stats': [
    view('stats-first', '/stats'),
    {
      name: 'stats',
      address: (subject) => `/stats?period=custom&${lastWeek(subject)}&buses=all&by=route`,
    },
  ],
  '/reports': [view('reports', '/reports')],
  '/news': [view('news', '/news')],
  '/faq': [view('faq', '/faq')],
  '/demo-advanced-report': [view('advanced-report', '/demo-advanced-report')],
  '/test-export': [view('test-export', '/test-export')],
  '/admin/{-$section}/{-$id}': [
    ...AdminSection.options.map((section) => view(`admin-${section}`, `/admin/${section}`)),
    {
      name: 'admin-bus',
      address: ({ busId }) => `/admin/buses/${busId}`,
      needsData: true,
    },
    ...shownDrawers.map(drawer),
    {
      ...{ name: 'admin-unit-protocol', needsData: true, act: speaking('jt808') },
      address: ({ unitId }) => `/admin/units/${unitId}`,
    },
    view('admin-new-customer', '/admin/customers/new'),
    {
      name: 'admin-import',
      address: () => '/admin/buses',
      act: openImport,
    },
    { name: 'admin-import-table', address: () => '/admin/buses', act: openTable },
    { name: 'admin-several', address: () => '/admin/buses', act: chooseAllRows, needsData: true },
  ],
  '/alerts': [view('alerts', '/alerts')],
  '/account': [view('account', '/account')],
  '/connect': [
    {
      name: 'connect',
      address: ({ unitId }) => (unitId === 0 ? '/connect' : `/connect?unit=${unitId}`),
      act: async (page) => {
        const issue = page.locator('[data-issue]:enabled');
        if ((await issue.count()) > 0) await issue.click();
      },
    },
    ...UnitProtocol.options.map((protocol) => ({
      ...{ name: `connect-${protocol}`, needsData: true, act: speaking(protocol) },
      address: ({ unitId }: Subject) => `/connect?unit=${unitId}`,
    })),
  ],
  '/help/{-$page}': [
    view('help', '/help'),
    view('help-page', '/help/bus'),
    view('help-api', '/help/api'),
    view('help-units', '/help/unit-interface'),
    ...['egts', 'jt808', 'osmand', 'egts-out'].map((name) => view(`help-${name}`, `/help/${name}`)),
    { name: 'help-guest', address: () => '/help/login', ends: 'by sign-out' },
  ],
  '/bus/$busId': [
    { name: 'bus-count', address: (subject) => `${bus(subject)}?${ofDay(subject)}` },
    {
      name: 'calculator',
      address: (subject) => `${bus(subject)}?${ofDay(subject)}&money=laps`,
      needsData: true,
    },
  ],
  '/bus/$busId/service': [
    {
      name: 'bus-service',
      address: (subject) => `/bus/${subject.cabinId}/service?${ofDay(subject)}`,
    },
  ],
  '/bus/$busId/gps': [
    { name: 'bus-gps', address: (subject) => `${bus(subject)}/gps?${ofDay(subject)}` },
  ],
  '/bus/$busId/route': [
    { name: 'bus-route', address: (subject) => `${bus(subject)}/route?${ofDay(subject)}` },
    {
      name: 'bus-route-prices',
      address: (subject) => `/bus/${subject.pricedId}/route?part=price`,
      needsData: true,
    },
  ],
};

/** Every view, with the path of its screen. Those that end the visitor's session come last. */
export const allViews: readonly (View & { readonly path: ScreenPath })[] = Object.entries(views)
  .flatMap(([path, own]) => own.map((one) => ({ ...one, path: path as ScreenPath })))
  .toSorted((a, b) => endsOf(a) - endsOf(b));

function endsOf({ ends }: View): number {
  if (ends === undefined) return 0;
  return ends === 'by a view' ? 1 : 2;
}
