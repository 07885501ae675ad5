import type { Named } from '@ridewatch/contract/paging';
import { findSharedChannel } from '../camera-channels.ts';
import { findTooMuch } from '../move-unit.ts';
import { findBus, ownersOf } from './find-bus.ts';
import { byName, knownClients, knownDevices } from './known.ts';
import { readDevice } from './plan-buses.ts';
import { createReadProtocol } from './plan-protocol.ts';
import { keyOf, type RowReader } from './reading.ts';
import {
  changeOf,
  clientOf,
  createOnce,
  fieldsIn,
  type MakePlanner,
  valuesOf,
} from './row-plan.ts';
import { readStored, type StoredUnit } from './stored.ts';

/** Units are found by their device ids. A bus puts a unit in; without one a customer has it as a spare one. */
export const planUnits: MakePlanner<'units'> = async (db, viewer, table, nowMs) => {
  const clients = await knownClients(db, viewer);
  const known = byName(await readStored.buses(db, viewer, nowMs));
  const devices = await knownDevices(db, valuesOf(table, 'device_id'));
  const stored = await readStored.units(db, viewer, nowMs);
  const own = new Map(stored.map((unit) => [unit.device_id, unit]));
  const [onceDevice, onceBus] = [createOnce(), createOnce()];
  const camerasOf = Map.groupBy(await readStored.cameras(db, viewer, nowMs), ({ bus }) => bus.id);
  const readProtocol = await createReadProtocol(db, viewer, valuesOf(table, 'protocol_id'));

  /** The bus to which the row moves the unit: the bus where it is, another one, or none that the row names. */
  const placeOf = (reader: RowReader, unit: StoredUnit | undefined, client: Named | undefined) => {
    const isThere =
      unit?.bus &&
      keyOf(unit.bus.name) === keyOf(reader.text('bus')) &&
      (client === undefined || unit.clients.some(({ id }) => id === client.id));
    if (isThere) return unit.bus;
    const bus = findBus(reader, known, client);
    if (bus?.unit) reader.refuse('bus', 'has_unit', { words: [bus.unit] });
    return bus && { id: bus.id, name: bus.name };
  };

  /** Refuses a terminal in a bus with two cameras of one channel, unless it is there already. */
  const refuseShared = (
    reader: RowReader,
    unit: StoredUnit | undefined,
    bus: Named | null | undefined,
    protocol = unit?.protocol,
  ) => {
    const isThere = bus?.id === unit?.bus?.id && protocol === unit?.protocol;
    if (isThere || !bus || protocol !== 'jt808') return;
    const shared = findSharedChannel(camerasOf.get(bus.id) ?? []);
    if (shared === undefined) return;
    const column = reader.text('protocol') === '' ? 'bus' : 'protocol';
    reader.refuse(column, 'same_channel', { words: shared.map(({ stream_id }) => stream_id) });
  };

  /** Refuses a first bus to which a unit cannot give all that it has sent: a table tells no moment. */
  const refuseTooMuch = async (reader: RowReader, unit: StoredUnit, busId: number) => {
    const cause = await findTooMuch(db, viewer, { unitId: unit.id, busId }, nowMs);
    if (cause) reader.refuse('bus', sentReasons[cause], { words: [unit.device_id] });
  };

  return (reader) => {
    const unit = own.get(reader.text('device_id'));
    const device = unit?.device_id ?? readDevice(reader, devices, onceDevice);
    if (unit) onceDevice(reader, 'device_id', unit.device_id);
    const owners =
      reader.text('bus') === '' ? (unit?.clients ?? []) : ownersOf(reader, known, 'bus');
    const client = clientOf(reader, clients, owners);
    const bus = placeOf(reader, unit, client);
    if (bus) onceBus(reader, 'bus', `${bus.id}`);
    const { spoken, settings } = readProtocol(reader, unit);
    refuseShared(reader, unit, bus ?? unit?.bus, spoken.protocol);
    if (unit === undefined) {
      if (!bus && client === undefined && viewer.clientIds !== 'all') reader.need(['client']);
      if (device === null) return undefined;
      const place = { bus: bus ?? null, client: bus ? null : (client ?? null) };
      const made = { device_id: device, ...place, ...spoken, settings };
      return { kind: 'units', creation: { kind: 'units', ...made } };
    }
    const isMoved = bus !== undefined && bus.id !== unit.bus?.id;
    if (isMoved && unit.in_test) reader.refuse('bus', 'in_test');
    const isOthers = client && !unit.clients.some(({ id }) => id === client.id);
    if (isOthers && unit.bus && !isMoved) {
      reader.refuse('client', 'in_bus', { words: [unit.bus.name] });
    }
    const before = { bus_id: unit.bus?.id ?? null, client_id: ownerOf(unit) };
    const spare = { bus_id: null, client_id: client?.id ?? before.client_id };
    // In a bus it has no customer of its own.
    const place = bus || unit.bus ? { bus_id: bus?.id ?? before.bus_id, client_id: null } : spare;
    const said = { ...spoken, ...settings };
    const body = changeOf<object>({ ...unit, ...before }, { ...place, ...said });
    const change = body && ({ kind: 'units', id: unit.id, body } as const);
    const fields = fieldsIn(body);
    const isPlaced = fields.some((field) => field in place);
    const columns = [...(isPlaced ? [isMoved ? 'bus' : 'client'] : [])];
    columns.push(...fields.filter((field) => field in said));
    const made = { kind: 'units', stored: unit, columns, change } as const;
    if (!(isMoved && unit.sent_before) || reader.isFaulty()) return made;
    return refuseTooMuch(reader, unit, bus.id).then(() => made);
  };
};

const sentReasons = { too_much: 'sent_too_much', foreign_day: 'sent_on_foreign_days' } as const;

const ownerOf = ({ bus, clients }: StoredUnit): number | null =>
  bus === null ? (clients[0]?.id ?? null) : null;
