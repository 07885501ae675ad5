import { listAdminBuses } from '@ridewatch/contract/admin-buses';
import {
  type AdminCustomer,
  createCustomer,
  findCustomer,
  listCustomers,
  updateCustomer,
} from '@ridewatch/contract/admin-customers';
import { findAdminOverview } from '@ridewatch/contract/admin-sections';
import { logout } from '@ridewatch/contract/auth';
import { findRetention } from '@ridewatch/contract/retention';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { admin, owner, page } from '../../test/made.ts';
import { madeCustomer } from '../../test/made-admin.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import { type FakeServer, refusal } from '../../test/server.ts';

let server: FakeServer;
const made = (id: number, name: string, more: Partial<AdminCustomer> = {}): AdminCustomer => ({
  ...madeCustomer,
  ...{ id, name, ...more },
});
const all = [made(1, 'Анна'), made(2, 'Иван'), made(3, 'Пётр')];

beforeEach(() => {
  server = freshServer();
  server.answer(findAdminOverview, {
    sections: [
      { section: 'customers', count: 3 },
      { section: 'buses', count: 0 },
    ],
    clients: all.map(({ id, name }) => ({ id, name })),
    video_off: null,
    closed_ports: [],
  });
  server.answer(listCustomers, page(all));
  server.answer(listAdminBuses, page([]));
  server.answer(findCustomer, ({ params }) => all[Number(params.id) - 1] ?? made(9, '?'));
  server.answer(findRetention, {
    ...{ client_id: 1, video_days: null, files_days: null, positions_days: null },
    defaults: { video_days: 90, files_days: 7, positions_days: 400 },
  });
});
const open = (address: string, opening: Parameters<typeof openScreen>[2] = {}) =>
  openScreen(server, address, { user: admin, ...opening });
const drawer = async (name: string) => within(await screen.findByRole('complementary', { name }));

describe('the administration', () => {
  it('is for administrators and integrators, and nobody else asks the server', async () => {
    await open('/admin', { user: owner });
    expect(await screen.findByText('A section for administrators')).toBeVisible();
    expect(server.asked(findAdminOverview)).toHaveLength(0);
    expect(screen.queryByRole('link', { name: 'Administration' })).toBeNull();
  });

  it('says at its top that no video is taken, and what to do', async () => {
    server.answer(findAdminOverview, {
      ...{
        sections: [{ section: 'buses', count: 0 }],
        clients: [],
        video_off: 'old_ffmpeg',
        closed_ports: [],
      },
    });
    await open('/admin');
    expect(await screen.findByRole('alert')).toHaveTextContent(
      /^Video is not accepted.*set FFMPEG_PATH/,
    );
  });

  it.each([
    [
      ...(['en_US', 'Closed ports: 20332, 20078, 20021'] as const),
      [
        'Port 20332 (EGTS) is closed now: another program has it. No unit can send by it. Setting: EGTS_PORT.',
        'Port 20078 (JT/T 1078) is closed now: the server may not open it. No live video of JT/T 808 registrars. Setting: JT1078_PORT.',
        'Port 20021 (FTP) is closed now: another program has it. Recordings of JT/T 808 registrars do not arrive. Setting: FTP_PORT.',
      ],
    ],
    [
      ...(['ru_RU', 'Закрыты порты 20332, 20078, 20021'] as const),
      [
        'Порт 20332 (EGTS) сейчас закрыт: его заняла другая программа. Приборы по нему не передают. Настройка: EGTS_PORT.',
        'Порт 20078 (JT/T 1078) сейчас закрыт: у сервера нет права его открыть. Нет эфира с регистраторов JT/T 808. Настройка: JT1078_PORT.',
        'Порт 20021 (FTP) сейчас закрыт: его заняла другая программа. Записи регистраторов JT/T 808 не приходят. Настройка: FTP_PORT.',
      ],
    ],
  ] as const)(
    'says in %s in one box at its top which ports could not be opened, and what fails',
    async (language, title, lines) => {
      server.answer(findAdminOverview, {
        ...{ sections: [{ section: 'buses', count: 0 }], clients: [], video_off: null },
        closed_ports: [
          { listener: 'egts', port: 20_332, reason: 'taken' },
          { listener: 'jt1078', port: 20_078, reason: 'no_right' },
          { listener: 'ftp', port: 20_021, reason: 'taken' },
        ],
      });
      const { hand } = await open('/admin', { language });
      const box = await screen.findByRole('alert');
      expect(within(box).getByText(lines[0])).not.toBeVisible();
      await hand.click(within(box).getByText(title));
      expect(within(box).getByText(lines[0])).toBeVisible();
      const shown = within(box).getAllByRole('listitem');
      expect(shown.map(({ textContent }) => textContent)).toEqual(lines);
    },
  );

  it('opens with the buses, and names the sections of the user with their counts', async () => {
    const { address } = await open('/admin');
    expect(await screen.findByRole('heading', { name: 'Buses' })).toBeVisible();
    expect(address()).toMatch(/\/admin\/buses$/);
    expect(screen.getByRole('link', { name: /Customers\s*3/ })).toBeVisible();
    expect(await screen.findByText('Nothing here yet')).toBeVisible();
  });

  it('has search, filters and sorting in the address, and sends them', async () => {
    const { address, hand } = await open('/admin/customers?status=3&sort=buses&order=desc');
    await screen.findByRole('link', { name: 'Анна' });
    const [asked] = server.asked(listCustomers);
    expect(Object.fromEntries(asked?.query ?? [])).toMatchObject({
      ...{ status: '3', sortBy: 'buses', sortType: 'DESC', page: '0', perPage: '100' },
    });
    fireEvent.keyDown(window, { code: 'Slash' });
    const search = screen.getByRole('textbox', { name: 'Name of a customer' });
    expect(search).toHaveFocus();
    await hand.type(search, 'Ив');
    await waitFor(() => expect(server.asked(listCustomers).at(-1)?.query.get('search')).toBe('Ив'));
    expect(address()).toContain('q=');
    server.answer(listCustomers, page([]));
    await hand.type(search, 'х');
    await hand.click(await screen.findByRole('button', { name: 'Reset the filters' }));
    await waitFor(() => expect(address()).not.toMatch(/q=|status=/));
    // Typed text goes with the filters, so it cannot come back after the pause of the search.
    expect(search).toHaveValue('');
  });

  it('says how many rows were found where that is not the number of all, which is beside the name', async () => {
    const { hand } = await open('/admin/customers');
    await screen.findByRole('link', { name: 'Иван' });
    expect(screen.queryByText('3 found')).toBeNull();
    server.answer(listCustomers, page(all.slice(1, 2)));
    await hand.type(screen.getByRole('textbox', { name: 'Name of a customer' }), 'Ив');
    expect(await screen.findByText('1 found')).toBeVisible();
  });

  it('says that a list could not be loaded, and loads it again', async () => {
    server.refuse(listCustomers, 'internal');
    const { hand } = await open('/admin/customers');
    expect(await screen.findByText('The list could not be loaded')).toBeVisible();
    server.answer(listCustomers, page(all));
    await hand.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('link', { name: 'Иван' })).toBeVisible();
  });

  it('shows a row in a drawer, and goes to the one before and after', async () => {
    const { hand, address } = await open('/admin/customers/2');
    const shown = await drawer('Иван');
    await hand.click(shown.getByRole('button', { name: 'Next row' }));
    await drawer('Пётр');
    expect(address()).toMatch(/customers\/3$/);
    expect(screen.getByRole('button', { name: 'Next row' })).toBeDisabled();
    await hand.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(address()).toMatch(/customers$/));
  });

  it('lets the keyboard into the drawer and its form, and back to the row with Escape', async () => {
    const { address, hand } = await open('/admin/customers');
    const link = await screen.findByRole('link', { name: 'Иван' });
    link.focus();
    await hand.keyboard('{Enter}');
    expect(await screen.findByRole('heading', { name: 'Иван' })).toHaveFocus();
    await hand.click(await screen.findByRole('button', { name: 'Edit' }));
    const name = screen.getByRole('textbox', { name: 'Name' });
    expect(name).toHaveFocus();
    await hand.type(name, '!');
    await hand.keyboard('{Escape}');
    expect(await screen.findByRole('dialog')).toBeVisible();
    await hand.click(screen.getByRole('button', { name: 'Stay' }));
    await hand.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.getByRole('button', { name: 'Edit' })).toHaveFocus();
    await hand.keyboard('{Escape}');
    await waitFor(() => expect(address()).toMatch(/\/admin\/customers$/));
    expect(screen.getByRole('link', { name: 'Иван' })).toHaveFocus();
    await hand.click(screen.getByRole('button', { name: 'Add a customer' }));
    expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveFocus();
  });

  it('folds what is beside the list while a drawer leaves it little room', async () => {
    const { hand } = await open('/admin/customers/2');
    await drawer('Иван');
    expect(screen.queryByRole('button', { name: 'Download XLSX' })).toBeNull();
    await hand.click(screen.getByRole('button', { name: 'Download' }));
    expect(await screen.findByRole('button', { name: 'Download XLSX' })).toBeVisible();
    await hand.keyboard('{Escape}');
    await hand.click(screen.getByRole('button', { name: 'Close' }));
    expect(await screen.findByRole('button', { name: 'Download XLSX' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Download' })).toBeNull();
  });

  it('frames the heading of a drawer for the keyboard, and not for a pointer', async () => {
    const { hand } = await open('/admin/customers');
    const heading = (name: string) => screen.findByRole('heading', { name });
    await hand.click(await screen.findByRole('link', { name: 'Иван' }));
    expect(await heading('Иван')).toHaveStyle({ outlineStyle: 'none' });
    screen.getByRole('link', { name: 'Пётр' }).focus();
    await hand.keyboard('{Enter}');
    const framed = await heading('Пётр');
    expect(framed).toHaveFocus();
    expect(framed).not.toHaveStyle({ outlineStyle: 'none' });
  });

  it('says what is wrong with a field in the language of the user, and keeps what was typed', async () => {
    const { hand } = await open('/admin/customers/new');
    const form = await drawer('Add a customer');
    await hand.click(form.getByRole('button', { name: 'Create' }));
    expect(await form.findByText('Please fill this in')).toBeVisible();
    server.answer(createCustomer, refusal('conflict', { field: 'name' }));
    await hand.type(form.getByLabelText('Name'), 'Иван');
    await hand.click(form.getByRole('button', { name: 'Create' }));
    expect(await form.findByText('This name is taken')).toBeVisible();
    expect(form.getByLabelText('Name')).toHaveValue('Иван');
  });

  it('sends only what was changed with what was seen of it, and tells of another change of the same', async () => {
    const { hand } = await open('/admin/customers/2');
    const shown = await drawer('Иван');
    await hand.click(shown.getByRole('button', { name: 'Edit' }));
    server.answer(updateCustomer, refusal('conflict', { field: 'seen.surname' }));
    server.answer(findCustomer, made(2, 'Иван', { surname: 'Сидоров', status: 2 }));
    await hand.type(shown.getByLabelText('Surname'), 'Петров');
    const save = () => within(shown.getByLabelText('Surname').closest('form') as HTMLElement);
    await hand.click(save().getByRole('button', { name: 'Save' }));
    expect(await shown.findByText(/changed “Surname” meanwhile, it is now: Сидоров/)).toBeVisible();
    const own = { surname: 'Петров' };
    expect(server.asked(updateCustomer)[0]?.body).toEqual({ ...own, seen: { surname: null } });
    server.answer(updateCustomer, made(2, 'Иван', { ...own, status: 2 }));
    await hand.click(shown.getByRole('button', { name: 'Overwrite with mine' }));
    await waitFor(() =>
      expect(server.asked(updateCustomer).at(-1)?.body).toEqual({
        ...{ ...own, seen: { surname: 'Сидоров' } },
      }),
    );
  });

  it('leads from a section that there is not to the buses, without the row of the address', async () => {
    const { address } = await open('/admin/nothing/3');
    await waitFor(() => expect(address()).toMatch(/\/admin\/buses$/));
  });

  it('asks before unsaved changes are left', async () => {
    const { hand, address } = await open('/admin/customers/2');
    const shown = await drawer('Иван');
    await hand.click(shown.getByRole('button', { name: 'Edit' }));
    await hand.type(shown.getByLabelText('Surname'), 'П');
    await hand.click(screen.getByRole('link', { name: 'Анна' }));
    const question = within(await screen.findByRole('dialog'));
    await hand.click(question.getByRole('button', { name: 'Stay' }));
    expect(shown.getByLabelText('Surname')).toHaveValue('П');
    await hand.click(screen.getByRole('link', { name: 'Анна' }));
    await hand.click(await screen.findByRole('button', { name: 'Do not save' }));
    await waitFor(() => expect(address()).toMatch(/customers\/1$/));
  });

  it('asks nothing of who signs out, and shows the sign-in page', async () => {
    server.answer(logout, undefined as never);
    const { hand } = await open('/admin/customers/2');
    const shown = await drawer('Иван');
    await hand.click(shown.getByRole('button', { name: 'Edit' }));
    await hand.type(shown.getByLabelText('Surname'), 'П');
    await hand.click(screen.getByRole('button', { name: 'Sign out' }));
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();
  });

  it('has sections, list and row as pages of their own on phones', async () => {
    const { hand, address } = await open('/admin', { device: 'phone' });
    await hand.click(await screen.findByRole('link', { name: /Customers/ }));
    await hand.click(await screen.findByRole('link', { name: 'Иван' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Иван' })).toBeVisible();
    expect(screen.queryByRole('table')).toBeNull();
    await hand.click(screen.getByRole('button', { name: 'Close' }));
    expect(await screen.findByRole('table')).toBeVisible();
    expect(address()).toMatch(/customers$/);
  });

  it('begins a form on a small screen in its first field for keys; for a finger no keyboard covers it', async () => {
    const { hand } = await open('/admin/customers', { device: 'phone' });
    const add = () => screen.findByRole('button', { name: 'Add a customer' });
    await hand.click(await add());
    expect(await screen.findByRole('heading', { name: 'Add a customer' })).toHaveFocus();
    await hand.click(screen.getByRole('button', { name: 'Close' }));
    (await add()).focus();
    await hand.keyboard('{Enter}');
    expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveFocus();
  });
});
