import { describe, expect, it } from 'vitest';
import { guessColumns } from './guess-columns.ts';

describe('the columns of a table', () => {
  it('are guessed from headings in either language', () => {
    expect(
      guessColumns('buses', ['Номер', 'Клиент', 'Маршрут', 'Мест всего', 'Прибор', 'Часовой пояс']),
    ).toEqual(['name', 'client', 'group', 'places', 'device_id', 'timezone']);
    expect(guessColumns('cameras', ['Bus', 'Name', 'Stream ID', 'Door', 'Kind'])).toEqual([
      ...['bus', 'name', 'stream_id', 'door', 'live'],
    ]);
  });

  it('are each taken once, and others are left out', () => {
    expect(guessColumns('units', ['device_id', 'Прибор', 'Цвет', 'Автобус'])).toEqual([
      ...['device_id', null, null, 'bus'],
    ]);
  });
});
