// Rows of the administration, and its sections with them; a test adds what matters to it.
import { type AdminBus, findAdminBus, listAdminBuses } from '@ridewatch/contract/admin-buses';
import { type AdminCamera, findCamera, listCameras } from '@ridewatch/contract/admin-cameras';
import type { AdminCustomer } from '@ridewatch/contract/admin-customers';
import {
  type AdminClassifier,
  type AdminGroup,
  findClassifier,
  findGroup,
  listClassifiers,
  listGroups,
} from '@ridewatch/contract/admin-groups';
import { type AdminSection, findAdminOverview } from '@ridewatch/contract/admin-sections';
import { type AdminUser, findUser, listUsers } from '@ridewatch/contract/admin-users';
import { screen, within } from '@testing-library/react';
import { answerUnit } from './admin-unit.ts';
import { NOW } from './browser.ts';
import { admin, page } from './made.ts';
import { openScreen } from './open.tsx';
import type { FakeServer } from './server.ts';

export const [anna, ivan] = [
  { id: 1, name: 'Анна' },
  { id: 2, name: 'Иван' },
] as const;

export const madeBus: AdminBus = {
  ...{ id: 12, name: 'А 472 КМ', description: null, type: 'VMS', clients: [ivan, anna] },
  passes: null,
  ...{ group: null, timezone: 'Europe/Moscow', count_source: 'unit', valid_from: '2026-01-01' },
  ...{ capacity_seated: 24, capacity_standing: null, gps_trackable: true },
  ...{ count_passengers_inside: true, bus_calculation: true, config: '{}', unit: null },
  ...{ state: null, cameras: [], retired_at: null, created_at: NOW },
};
export const madeCamera: AdminCamera = {
  ...{ id: 5, name: 'Перёд', stream_id: 'door1', live: false, door: 1, counts: true },
  ...{ enabled: true, status: 'online', status_at: NOW, bus: { id: 12, name: 'А 472 КМ' } },
  ...{ unit_silent: false, unit_protocol: null, channel: null },
};
export const madeCustomer: AdminCustomer = {
  ...{ ...anna, surname: null, patronymic: null, status: 1, enabled: true, integrators: [] },
  ...{ buses: 2, users: 1, created_at: NOW },
};
export const madeUser: AdminUser = {
  ...{ id: 9, login: 'petrov', role: 'CUSTOMER', client: anna, enabled: true, can_edit: false },
  ...{ last_used_at: null, created_at: NOW, second_factor: false, openid: false },
};
export const madePlace: AdminClassifier = {
  ...{ id: 3, name: 'Рынок', latitude: 55.71, longitude: 37.62, client: anna, groups: 1 },
};
export const madeRoute: AdminGroup = {
  ...{ id: 4, name: '156', client: anna, type_calculation: 'FIXED', stops: 12, buses: 0 },
};

/** Makes the server answer each section of the fleet with one row. */
export function answerFleet(server: FakeServer): void {
  answerUnit(server);
  server.answer(listAdminBuses, page([madeBus]));
  server.answer(findAdminBus, { ...madeBus, settings: [], owners: [] });
  server.answer(listCameras, page([madeCamera]));
  server.answer(findCamera, madeCamera);
  server.answer(listUsers, page([madeUser]));
  server.answer(findUser, madeUser);
  server.answer(listClassifiers, page([madePlace]));
  server.answer(findClassifier, madePlace);
  server.answer(listGroups, page([madeRoute]));
  server.answer(findGroup, madeRoute);
}

/** Opens a section as an administrator. */
export async function openSection(server: FakeServer, section: AdminSection, id = '') {
  server.answer(findAdminOverview, {
    ...{
      sections: [{ section, count: 1 }],
      clients: [anna, ivan],
      video_off: null,
      closed_ports: [],
    },
  });
  return openScreen(server, `/admin/${section}/${id}`, { user: admin });
}

/** Opens the drawer of a row, or of a new one, and works in it as a user. */
export async function openDrawer(server: FakeServer, section: AdminSection, id: string) {
  const opened = await openSection(server, section, id);
  const { hand } = opened;
  const drawer = within(await screen.findByRole('complementary'));
  const field = (label: string) => drawer.findByLabelText(label);
  return {
    ...opened,
    drawer,
    field,
    press: async (name: string) => hand.click(await drawer.findByRole('button', { name })),
    write: async (label: string, value: string) => {
      await hand.clear(await field(label));
      if (value !== '') await hand.type(await field(label), value);
    },
    choose: async (label: string, option: string) => {
      await hand.click(await field(label));
      await hand.click(await screen.findByRole('option', { name: option }));
    },
    /** Answers a question that a button asks first. */
    confirm: async (name: string) =>
      hand.click(within(await screen.findByRole('dialog')).getByRole('button', { name })),
  };
}
