import { describeApi } from '@ridewatch/contract/api-description';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
});
const menu = () => screen.findByRole('navigation', { name: 'Help' });
const find = () => screen.findByRole('searchbox', { name: 'Search the help' });
const entries = async () =>
  within(await menu())
    .getAllByRole('link')
    .map(({ textContent }) => textContent);

describe('the help', () => {
  it('has a page for each screen, in the language of the user', async () => {
    await openScreen(server, '/help/bus-gps');
    expect(await screen.findByRole('heading', { name: 'Bus: GPS and laps' })).toBeVisible();
    expect(await entries()).toContain('Statistics');
    await openScreen(server, '/help/bus-gps', { language: 'ru_RU' });
    expect(await screen.findByRole('heading', { name: 'Автобус: GPS и круги' })).toBeVisible();
  });

  it('finds words of the text, marks them, and leads to the heading above them', async () => {
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
    const { hand, address } = await openScreen(server, '/help');
    await screen.findByRole('heading', { name: 'How to use the help' });
    await hand.type(await find(), 'load table');
    const [hit] = await within(await menu()).findAllByRole('link', { name: /Administration/ });
    expect(within(hit as HTMLElement).getByText('Load').tagName).toBe('MARK');
    expect(await entries()).not.toContain('News');
    await hand.click(hit as HTMLElement);
    const heading = await screen.findByRole('heading', { name: 'Loading a table', level: 3 });
    await waitFor(() => expect(scrolled.mock.contexts).toContain(heading));
    expect(address()).toMatch(/\/help\/admin\?q=load\+table#loading-a-table$/);
    expect(hit).toHaveAttribute('aria-current', 'page');
  });

  it('says that nothing was found, and lists all pages again without a query', async () => {
    const { hand } = await openScreen(server, '/help?q=zzz');
    expect(await screen.findByText('Nothing found')).toBeVisible();
    expect(await screen.findByText(/Try another word/)).toBeVisible();
    await hand.clear(await find());
    await waitFor(async () => expect(await entries()).toContain('News'));
  });

  it('on a phone keeps the search on the way back from what it found', async () => {
    const { hand } = await openScreen(server, '/help?q=API+key', { device: 'phone' });
    await hand.click(await screen.findByRole('link', { name: /Administration.*API keys/ }));
    expect(await screen.findByRole('heading', { name: 'API keys' })).toBeVisible();
    await hand.click(screen.getByRole('link', { name: '← All help' }));
    expect(await find()).toHaveValue('API key');
  });

  it.each([
    ['en_US', 'load a table', 'Administration'],
    ['en_US', 'API key', 'Administration'],
    ['en_US', 'spreadsheet', 'Administration'],
    ['en_US', 'import from Excel', 'Administration'],
    ['ru_RU', 'загрузить таблицу', 'Управление'],
    ['ru_RU', 'ключ API', 'Управление'],
    ['ru_RU', 'импорт из Excel', 'Управление'],
  ] as const)('in %s finds „%s“ in the page of the %s', async (language, query, title) => {
    await openScreen(server, `/help?q=${encodeURIComponent(query)}`, { language });
    const links = await screen.findAllByRole('link', { name: new RegExp(`^${title}`) });
    expect(links[0]).toBeVisible();
  });

  it.each([
    ['en_US', 'пароль', 'Found in the Russian guide', /^Signing in/],
    ['ru_RU', 'password', 'Найдено в английской справке', /^Вход/],
  ] as const)(
    'in %s finds „%s“ in the other language, and leads to that place in the own one',
    async (language, query, heading, title) => {
      await openScreen(server, `/help?q=${encodeURIComponent(query)}`, { language });
      expect(await screen.findByRole('heading', { name: heading })).toBeVisible();
      const [hit] = await within(
        screen.getByRole('navigation', { name: /Help|Справка/ }),
      ).findAllByRole('link', {
        name: title,
      });
      expect(hit).toHaveAttribute('href', expect.stringMatching(/^\/help\/login\?/));
      const [marked] = within(hit as HTMLElement).getAllByText(new RegExp(query, 'i'));
      expect(marked?.closest('[lang]')).toHaveAttribute('lang', language === 'en_US' ? 'ru' : 'en');
      expect(screen.queryByText(/Nothing found|Ничего не найдено/)).not.toBeInTheDocument();
    },
  );

  it.each(['camera silent', 'no video', 'silent unit', 'wrong clock'])(
    'in English says what to do about „%s“',
    async (query) => {
      await openScreen(server, `/help?q=${query}`);
      const [hit] = await within(await menu()).findAllByRole('link', { name: /What can go wrong/ });
      expect(hit).toBeVisible();
    },
  );

  it.each([
    ...['камера молчит', 'камера не работает', 'не работает камера', 'нет видео'],
    ...['прибор молчит', 'часы прибора спешат'],
  ])('in Russian says what to do about „%s“', async (query) => {
    await openScreen(server, `/help?q=${query}`, { language: 'ru_RU' });
    const nav = await screen.findByRole('navigation', { name: 'Справка' });
    const [hit] = await within(nav).findAllByRole('link', { name: /Что может пойти не так/ });
    expect(hit).toBeVisible();
  });

  it('leads to the calls of the API with the words of the search', async () => {
    const { hand, address } = await openScreen(server, '/help?q=password');
    server.answer(describeApi, { paths: {}, components: { schemas: {} } });
    await hand.click(
      await within(await menu()).findByRole('link', { name: 'Search “password” in the API calls' }),
    );
    await waitFor(() => expect(address()).toMatch(/\/help\/api\?q=password$/));
    expect(
      await screen.findByRole('searchbox', { name: 'Path, method or a word of the description' }),
    ).toHaveValue('password');
  });

  it('finds a place of the unit interface, where it finds little else', async () => {
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
    const { hand } = await openScreen(server, '/help?q=rollover');
    await hand.click(
      await within(await menu()).findByRole('link', { name: /unit interface.*The clock/ }),
    );
    const heading = await screen.findByRole('heading', { name: 'The clock' });
    await waitFor(() => expect(scrolled.mock.contexts).toContain(heading));
  });

  it('before sign-in finds nothing for programs', async () => {
    await openScreen(server, '/help?q=rollover', { user: null });
    expect(await screen.findByText('Nothing found')).toBeVisible();
    expect(screen.queryByRole('link', { name: /API|unit interface/i })).not.toBeInTheDocument();
  });

  it('leads to the place of a section of the administration in any language', async () => {
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
    await openScreen(server, '/help/admin#units', { language: 'ru_RU' });
    const heading = await screen.findByRole('heading', { name: 'Приборы и автобусы' });
    const places = () => scrolled.mock.contexts.map((one) => (one as Element).id);
    await waitFor(() => expect(places()).toContain('units'));
    const place = document.getElementById('units') as Element;
    expect(place.compareDocumentPosition(heading)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it('leads from page to page', async () => {
    const { hand, address } = await openScreen(server, '/help/home');
    await hand.click(await screen.findByRole('link', { name: 'first steps' }));
    await waitFor(() => expect(address()).toMatch(/\/help\/connect$/));
    expect(
      await screen.findByRole('heading', { name: 'First steps, and connecting a unit' }),
    ).toBeVisible();
  });

  it.each([
    ['a user', {}],
    ['a user with a phone', { device: 'phone' }],
    ['a guest', { user: null }],
    ['a guest with a phone', { user: null, device: 'phone' }],
  ] as const)(
    'says to %s that a page does not exist, and shows no other',
    async (_who, opening) => {
      await openScreen(server, '/help/install', opening);
      expect(await screen.findByText('There is no such page')).toBeVisible();
      expect(screen.queryByText('How to use the help', { selector: 'h1' })).not.toBeInTheDocument();
    },
  );

  it('shows the unit interface, which in Russian says that it is in English', async () => {
    const { unmount } = await openScreen(server, '/help/unit-interface', { language: 'ru_RU' });
    expect(await screen.findByText(/Она на английском языке/)).toBeVisible();
    unmount();
    await openScreen(server, '/help/unit-interface');
    expect(
      await screen.findByRole('heading', { name: 'The unit interface, version 1' }),
    ).toBeVisible();
    expect(screen.getByRole('columnheader', { name: 'reason' })).toBeVisible();
    expect(screen.queryByText(/английском/)).not.toBeInTheDocument();
  });
});

describe('the document of a protocol', () => {
  it.each([
    ['egts', 'EGTS', 'connect-egts'],
    ['jt808', 'JT/T 808', 'connect-jt808'],
    ['osmand', 'The OsmAnd form', 'connect-osmand'],
    ['egts-out', 'EGTS to other systems', 'other-systems'],
  ])('%s is a page, which in Russian leads to what is in Russian', async (name, title, short) => {
    await openScreen(server, `/help/${name}`, { language: 'ru_RU' });
    expect(await screen.findByRole('heading', { name: title, level: 1 })).toBeVisible();
    expect(screen.getByText(/Она на английском языке/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Главное — по-русски' })).toHaveAttribute(
      'href',
      `/help/${short}`,
    );
    // Decisions are no pages of the help.
    expect(document.querySelector('article a[href*="decisions/"]')).toBeNull();
  });

  it('names the tab of the browser, as the calls of the API do', async () => {
    const { unmount } = await openScreen(server, '/help/jt808');
    await waitFor(() => expect(document.title).toBe('JT/T 808 in detail · Ridewatch'));
    unmount();
    await openScreen(server, '/help/api', { language: 'ru_RU' });
    await waitFor(() => expect(document.title).toBe('Вызовы API · Ridewatch'));
  });

  it('shows a table that has no room in a frame which scrolls by itself and takes the focus', async () => {
    onTestFinished(() => void vi.restoreAllMocks());
    vi.spyOn(Element.prototype, 'scrollWidth', 'get').mockReturnValue(900);
    vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(360);
    await openScreen(server, '/help/jt808', { device: 'phone' });
    const frame = await screen.findByRole('region', { name: 'message, what it becomes' });
    expect(frame).toHaveAttribute('tabindex', '0');
    expect(within(frame).getByRole('columnheader', { name: 'message' })).toBeVisible();
    // A column without a name adds nothing to that of the frame.
    expect(screen.getByRole('region', { name: 'limit' })).toBeVisible();
  });

  it('is found by its words', async () => {
    await openScreen(server, '/help?q=DISPATCHER_IDENTITY');
    expect(
      (await within(await menu()).findAllByRole('link', { name: /^EGTS.*Connecting/ }))[0],
    ).toHaveAttribute('href', expect.stringMatching(/^\/help\/egts\?/));
  });
});

describe('the calls of the API', () => {
  const operation = {
    summary: 'The bus list',
    security: [{ user: [] }],
    parameters: [{ name: 'date', in: 'query', required: false, schema: { type: 'string' } }],
    responses: { 200: { description: 'Success' }, 401: { description: 'unauthorized' } },
  };
  const described = {
    paths: {
      '/api/bus_list': { get: operation },
      '/unit/v1/batches': { post: { ...operation, summary: 'Batch', security: [{ unit: [] }] } },
    },
    components: { schemas: { Error: { properties: { error: { type: 'string' } } } } },
  };

  it('are listed by who may call, and found by path, summary and parameter', async () => {
    server.answer(describeApi, described);
    const { hand } = await openScreen(server, '/help/api');
    expect(await screen.findByText('2 calls')).toBeVisible();
    expect(screen.getAllByRole('searchbox')).toHaveLength(1);
    expect(screen.getByRole('heading', { name: 'On-board units' })).toBeVisible();
    await hand.type(
      screen.getByRole('searchbox', { name: 'Path, method or a word of the description' }),
      'get list',
    );
    expect(await screen.findByText('1 call')).toBeVisible();
    await hand.click(screen.getByText('/api/bus_list'));
    expect(await screen.findByText('unauthorized')).toBeVisible();
  });

  it('are found by Russian words, and nothing stands below what was not found', async () => {
    const laps = { ...operation, summary: 'The laps of a local day' };
    const paths = { ...described.paths, '/api/bus-stop/laps': { get: laps } };
    server.answer(describeApi, { ...described, paths });
    const { hand } = await openScreen(server, '/help/api?q=круги', { language: 'ru_RU' });
    expect(await screen.findByText('вызовов: 1')).toBeVisible();
    expect(screen.getByText('/api/bus-stop/laps')).toBeVisible();
    const find = screen.getByRole('searchbox');
    await hand.type(find, ' нетакого');
    expect(await screen.findByText('Ничего не найдено')).toBeVisible();
    expect(screen.queryByRole('heading', { level: 2, name: 'Общие виды' })).not.toBeInTheDocument();
    expect(screen.queryByRole('heading', { name: 'Error' })).not.toBeInTheDocument();
  });

  it('say that they could not be loaded, and are read again when the user asks', async () => {
    server.refuse(describeApi, 'internal');
    const { hand } = await openScreen(server, '/help/api');
    const failed = { name: 'The API calls could not be loaded' };
    expect(await screen.findByRole('heading', failed)).toBeVisible();
    // Without calls there is nothing to search.
    expect(screen.queryByRole('searchbox')).not.toBeInTheDocument();
    server.answer(describeApi, described);
    await hand.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('2 calls')).toBeVisible();
    expect(screen.queryByRole('heading', failed)).not.toBeInTheDocument();
  });
});
