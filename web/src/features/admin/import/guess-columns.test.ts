import { type ImportKind, importColumns } from '@ridewatch/contract/admin-import';
import { describe, expect, it } from 'vitest';
import { guessColumns } from './guess-columns.ts';

const guessed = (kind: ImportKind, headings: readonly string[]) =>
  guessColumns(kind, headings, importColumns[kind]);

describe('the columns of a table', () => {
  it('are guessed from headings in either language', () => {
    expect(
      guessed('buses', ['Номер', 'Клиент', 'Маршрут', 'Мест всего', 'Прибор', 'Часовой пояс']),
    ).toEqual(['name', 'client', 'group', 'places', 'device_id', 'timezone']);
    expect(guessed('cameras', ['Bus', 'Name', 'Stream ID', 'Door', 'Kind'])).toEqual([
      ...['bus', 'name', 'stream_id', 'door', 'live'],
    ]);
  });

  it('are each taken once, and others are left out', () => {
    expect(guessed('units', ['device_id', 'Прибор', 'Цвет', 'Автобус'])).toEqual([
      ...['device_id', null, null, 'bus'],
    ]);
  });

  it('are what the user chose for their headings before', () => {
    const chosen: Readonly<Record<string, string | null>> = { Код: 'device_id', Прибор: null };
    const columns = guessColumns(
      ...(['units', ['Прибор', 'Код', 'Автобус'], importColumns.units] as const),
      (heading) => chosen[heading],
    );
    expect(columns).toEqual([null, 'device_id', 'bus']);
  });

  it('are none that the user may not import', () => {
    expect(guessColumns('buses', ['Номер', 'Маршрут'], ['name', 'client'])).toEqual(['name', null]);
  });
});
