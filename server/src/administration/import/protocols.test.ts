// The columns of a table of units that tell of another protocol: loaded, exported, loaded again, undone.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askJson } from '../../test/requests.ts';
import { createTableServer, type TableServer } from '../../test/tables.ts';

let made: TableServer;
let calls: TableServer['calls'];
beforeAll(async () => {
  made = await createTableServer('admin', 'integrator');
  ({ calls } = made);
});
afterAll(() => made.server.close());

const columns = ['device_id', 'protocol', 'protocol_id'];
const units = (rows: string[][], more: string[] = []) => ({
  ...{ kind: 'units', columns: [...columns, ...more], rows },
});
const ask = (method: 'GET' | 'POST', url: string) =>
  askJson(made.server, made.tokens.admin, method, url);
const unitNamed = async (device: string) => {
  const { body } = await ask('GET', `/api/admin/units?search=${device}`);
  return body.items[0];
};
const linesOf = async (login?: string): Promise<string[][]> => {
  const { bytes } = await calls.save('units', 'format=csv&language=ru_RU', login);
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  return text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(';').map((cell) => cell.replaceAll('"', '')));
};

describe('a table of units', () => {
  it('gives units their protocol, their number in it and its settings', async () => {
    const { created, check, credentials } = await calls.load(
      units(
        [
          ['RW-E', 'ЕГТС', '133552', 'общий счёт', '', '', ''],
          ['RW-J', 'JT/T 808', '1391234567', '', '+3', '2', 'Wi-Fi'],
          ['RW-O', 'osmand', '', '', '', '', ''],
          ['RW-N', '', '', '', '', '', ''],
        ],
        ['egts_counts', 'jt808_clock_hours', 'jt808_door', 'jt808_uploads'],
      ),
    );
    expect([created, check.faults]).toEqual([4, []]);
    // The others need no credential.
    expect(credentials).toMatchObject([{ device_id: 'RW-N' }]);
    expect(await unitNamed('RW-E')).toMatchObject({
      ...{ protocol: 'egts', protocol_id: '133552', egts_counts: 'cumulative' },
    });
    expect(await unitNamed('RW-J')).toMatchObject({
      ...{ protocol: 'jt808', jt808_clock_hours: 3, jt808_door: 2, jt808_uploads: 'wifi' },
    });
    // Nobody gave the phone an id, so the server made one.
    expect(await unitNamed('RW-O')).toMatchObject({
      ...{ protocol: 'osmand', protocol_id: expect.stringMatching(/^[0-9a-f]{32}$/) },
    });
    expect(await unitNamed('RW-N')).toMatchObject({ protocol: null, protocol_id: null });
  });

  it('is exported with them, and changes nothing when it is loaded again', async () => {
    const [headings = [], ...rows] = await linesOf();
    expect(headings.slice(3, 5)).toEqual(['Протокол', 'Номер в протоколе']);
    const of = (device: string) => rows.find(([first]) => first === device)?.slice(3);
    expect(of('RW-E')).toEqual([
      ...['EGTS', '133552', 'общий счёт', 'по стандарту', 'по стандарту', '', '', '', ''],
    ]);
    expect(of('RW-J')?.slice(-4)).toEqual(['3', '2', 'только по Wi-Fi, в парке', '']);
    expect(of('RW-N')?.slice(0, 2)).toEqual(['собственный протокол Ridewatch', '']);
    const exported = {
      ...{ kind: 'units', rows },
      columns: [
        ...['device_id', null, null, 'protocol', 'protocol_id', 'egts_counts', 'egts_raw_flag'],
        ...['egts_module_bytes', 'jt808_clock_hours', 'jt808_door', 'jt808_uploads'],
        'osmand_speed',
      ],
    };
    expect(await calls.check(exported)).toMatchObject({ adds: 0, changes: 0, faulty: 0 });
  });

  it('says which cell is wrong: no id, an id of another form, one that is taken or named twice', async () => {
    const rows = [
      ['RW-1', 'EGTS', ''],
      ['RW-2', 'EGTS', 'bus-2'],
      ['RW-3', 'JT/T 808', '013-9'],
      ['RW-4', 'EGTS', '133552'],
      ['RW-5', 'EGTS', '7'],
      ['RW-6', 'EGTS', '7'],
      ['RW-7', 'JT/T 808', '7'],
      ['RW-8', '', '8'],
      ['RW-9', 'MQTT', '9'],
    ];
    expect(await calls.faultsOf(units(rows))).toEqual([
      ...['C2 required', 'C3 protocol_id', 'C4 protocol_id', 'C5 taken', 'C7 twice'],
      ...['B9 required', 'B10 choice'],
    ]);
    const { faults } = await calls.check(units([['RW-2', 'EGTS', 'bus-2']]));
    expect(faults).toMatchObject([{ value: 'bus-2', words: ['egts'] }]);
  });

  it('takes the number of a terminal with the zeros before it, which fill the field of its message', async () => {
    await calls.load(units([['RW-Z', 'JT/T 808', '013900003333']]));
    expect(await unitNamed('RW-Z')).toMatchObject({ protocol_id: '13900003333' });
    const { states, faults } = await calls.check(units([['RW-Z', 'JT/T 808', '00013900003333']]));
    expect([states, faults]).toEqual([['same'], []]);
    const taken = await calls.faultsOf(units([['RW-Y', 'JT/T 808', '0013900003333']]));
    expect(taken).toEqual(['C2 taken']);
  });

  it('changes a protocol and a setting, and is undone', async () => {
    const before = await unitNamed('RW-J');
    const table = units([['RW-J', 'EGTS', '999', '2']], ['jt808_door']);
    const { changed } = await calls.check(table);
    expect(changed.map(({ cell, before: was }: Record<string, string>) => [cell, was])).toEqual([
      ['B2', 'JT/T 808'],
      ['C2', '1391234567'],
    ]);
    const { import_id: id } = await calls.load(table);
    expect(await unitNamed('RW-J')).toMatchObject({ protocol: 'egts', protocol_id: '999' });
    expect((await ask('POST', `/api/admin/imports/${id}/undo`)).body).toMatchObject({
      undone: true,
    });
    expect(await unitNamed('RW-J')).toEqual(before);
  });

  it('is undone, too, where only the protocol became another one', async () => {
    const { import_id: id } = await calls.load(
      units([['RW-J', 'EGTS', '']].map((row) => [row[0] ?? '', 'EGTS', '1391234567'])),
    );
    expect(await unitNamed('RW-J')).toMatchObject({ protocol: 'egts', protocol_id: '1391234567' });
    await ask('POST', `/api/admin/imports/${id}/undo`);
    expect(await unitNamed('RW-J')).toMatchObject({ protocol: 'jt808' });
  });

  it('that took the id of a phone away is undone with another one: no row of the audit log has it', async () => {
    const { protocol_id: first } = await unitNamed('RW-O');
    const phones = [
      [units([['RW-O', 'EGTS', '1234']]), { protocol: 'egts' }],
      [units([['RW-O', 'OsmAnd', 'phone-9']]), { protocol_id: 'phone-9' }],
    ] as const;
    for (const [table, changed] of phones) {
      const { import_id: id } = await calls.load(table);
      expect(await unitNamed('RW-O')).toMatchObject(changed);
      expect((await ask('POST', `/api/admin/imports/${id}/undo`)).body).toMatchObject({
        undone: true,
      });
      const { protocol, protocol_id } = await unitNamed('RW-O');
      expect([protocol, protocol_id]).toEqual(['osmand', expect.stringMatching(/^[0-9a-f]{32}$/)]);
      expect(protocol_id).not.toBe(first);
    }
  });

  it('takes a protocol away, and the number with it', async () => {
    await calls.load(units([['RW-E', 'собственный протокол Ridewatch', '133552']]));
    expect(await unitNamed('RW-E')).toMatchObject({ protocol: null, protocol_id: null });
  });
});

describe('an integrator', () => {
  it('gives no unit a protocol, and has no columns for it', async () => {
    const rows = [
      ['RW-10', 'Первый', 'EGTS', '10'],
      ['RW-11', 'Первый', '', ''],
    ];
    const table = { kind: 'units', columns: ['device_id', 'client', ...columns.slice(1)], rows };
    expect(await calls.faultsOf(table, 'integrator')).toEqual([
      ...['C2 admin_protocol', 'D2 admin_protocol'],
    ]);
    // Nor does it learn whether a unit of another customer has the number.
    await calls.load(units([['RW-12', 'EGTS', '77']]));
    const taken = ['RW-10', 'Первый', 'EGTS', '77'];
    expect(await calls.faultsOf({ ...table, rows: [taken] }, 'integrator')).toEqual([
      ...['C2 admin_protocol', 'D2 admin_protocol'],
    ]);
    const [headings] = await linesOf('integrator');
    expect(headings).toEqual(['Номер прибора', 'Автобус', 'Клиент']);
  });
});
