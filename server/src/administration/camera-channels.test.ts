// The cameras of a bus whose unit speaks JT/T 808 name different channels of its terminal, by whatever way they come.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertTestBus } from '../test/fleet.ts';
import { askJson } from '../test/requests.ts';
import { createTableServer, type TableServer } from '../test/tables.ts';

let made: TableServer;
beforeAll(async () => {
  made = await createTableServer('admin');
});
afterAll(() => made.server.close());

const ask = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
  askJson(made.server, made.tokens.admin, method, `/api/admin/${path}`, body);

let buses = 0;
/** A bus with its unit, of JT/T 808 unless said otherwise, and cameras with these keys. */
async function freshBus(keys: readonly string[], isTerminal = true) {
  buses += 1;
  const { db } = made.server.deps.database;
  const name = `Канал ${buses}`;
  const { busId, unitId } = await insertTestBus(db, made.fleet.first, name, 'Europe/Moscow');
  const speak = () =>
    ask('PUT', `units/${unitId}`, { protocol: 'jt808', protocol_id: `1390000000${buses}` });
  const add = (stream_id: string) =>
    ask('POST', 'cameras', { bus_id: busId, name: stream_id, stream_id, live: true });
  const cameras: number[] = [];
  for (const key of keys) cameras.push((await add(key)).body.id);
  if (isTerminal) expect((await speak()).status).toBe(200);
  return { busId, unitId, name, speak, add, cameras };
}
const shared = (...streams: string[]) => ({
  cause: 'same_channel',
  cameras: streams.map((stream_id) => ({ name: stream_id, stream_id })),
});

describe('a camera', () => {
  it('is told with the channel that its stream names, and the protocol of the unit of its bus', async () => {
    const { busId, cameras } = await freshBus(['salon', 'ch2']);
    const told = { unit_protocol: 'jt808' };
    expect((await ask('GET', `cameras/${cameras[0]}`)).body).toMatchObject({
      ...told,
      channel: null,
    });
    const { items } = (await ask('GET', `cameras?busId=${busId}`)).body;
    expect(items).toContainEqual(
      expect.objectContaining({ ...told, id: cameras[1], stream_id: 'ch2', channel: 2 }),
    );
    const other = await freshBus(['salon'], false);
    expect((await ask('GET', `cameras/${other.cameras[0]}`)).body.unit_protocol).toBeNull();
  });
});

describe('two cameras of a terminal', () => {
  it('that name one channel are refused, at the key of the second one', async () => {
    const { add, cameras } = await freshBus(['ch1', 'ch2']);
    const { status, body } = await add('cam1');
    expect([status, body.error, body.field, body.current]).toEqual([
      ...[409, 'conflict', 'stream_id', shared('ch1', 'cam1')],
    ]);
    const changed = await ask('PUT', `cameras/${cameras[1]}`, { stream_id: '01' });
    expect([changed.status, changed.body.field]).toEqual([409, 'stream_id']);
    expect((await add('cam3')).status).toBe(200);
    // Its key stays.
    expect((await ask('PUT', `cameras/${cameras[1]}`, { name: 'Салон' })).status).toBe(200);
  });

  it('may have such keys where the unit speaks something else, until it speaks JT/T 808', async () => {
    const { speak, unitId } = await freshBus(['ch1', 'cam1'], false);
    const { status, body } = await speak();
    expect([status, body.field, body.current]).toEqual([409, 'protocol', shared('ch1', 'cam1')]);
    expect((await ask('GET', `units/${unitId}`)).body.protocol).toBeNull();
  });

  it('are refused when their terminal comes into the bus, new or from elsewhere', async () => {
    const { busId, unitId } = await freshBus(['ch1', 'cam1'], false);
    expect((await ask('PUT', `units/${unitId}`, { bus_id: null })).status).toBe(200);
    const spoken = { protocol: 'jt808', protocol_id: '13900000099' };
    const created = await ask('POST', 'units', { device_id: 'T-1', bus_id: busId, ...spoken });
    expect([created.status, created.body.field]).toEqual([409, 'bus_id']);
    const spare = await ask('POST', 'units', { device_id: 'T-1', ...spoken });
    const moved = await ask('PUT', `units/${spare.body.unit.id}`, { bus_id: busId });
    expect([moved.status, moved.body.field]).toEqual([409, 'bus_id']);
  });

  it('are faults of a table of cameras, and of one of units', async () => {
    const { name } = await freshBus(['ch1']);
    const cameras = {
      ...{ kind: 'cameras', columns: ['bus', 'name', 'stream_id', 'live'] },
      rows: ['cam1', 'ch2', '2'].map((key) => [name, key, key, 'служебная']),
    };
    expect(await made.calls.faultsOf(cameras)).toEqual(['C2 same_channel', 'C4 same_channel']);
    const other = await freshBus(['ch1', 'cam1'], false);
    const { body } = await ask('GET', `units/${other.unitId}`);
    const units = {
      ...{ kind: 'units', columns: ['device_id', 'protocol', 'protocol_id'] },
      rows: [[body.device_id, 'JT/T 808', '13900000098']],
    };
    expect(await made.calls.faultsOf(units)).toEqual(['B2 same_channel']);
  });
});
