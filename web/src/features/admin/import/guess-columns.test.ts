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

  it.each([
    ...['Номер', 'Госномер', 'Гос. номер', 'Гос.номер', 'Гос. знак', 'Государственный номер'],
    ...['Рег. номер', 'Бортовой номер', 'Номер автобуса', 'ТС', 'Наименование'],
  ])('tell a bus by %j', (heading) => {
    expect(guessed('buses', [heading])).toEqual(['name']);
    if (!/^(Номер|Наименование)$/.test(heading)) {
      expect(guessed('cameras', [heading])).toEqual(['bus']);
    }
  });

  it.each([
    ['customers', 'name', ['Перевозчик', 'Заказчик', 'Организация', 'Контрагент', 'Имя']],
    ['customers', 'patronymic', ['Отчество']],
    ['buses', 'client', ['Перевозчик', 'Организация', 'Предприятие', 'Контрагент', 'Carrier']],
    ['buses', 'capacity_seated', ['Мест сидячих', 'Сидячие места', 'Мест для сидения']],
    ['buses', 'capacity_seated', ['Посадочных мест', 'Кол-во сидячих мест', 'Seating capacity']],
    ['buses', 'capacity_standing', ['Мест стоячих', 'Стоячие места', 'Standing']],
    ['buses', 'places', ['Всего мест', 'Количество мест', 'Пассажировместимость']],
    ['buses', 'device_id', ['Номер блока', 'IMEI', 'Регистратор', 'Серийный номер']],
    ['buses', 'group', ['Номер маршрута', '№ маршрута']],
    ['buses', 'description', ['Комментарии', 'Примечания', 'Заметки', 'Notes']],
    ['users', 'login', ['Логин', 'Учётная запись', 'Учетная запись']],
    ['customers', 'enabled', ['Включён', 'Включен']],
    ['cameras', 'door', ['№ двери', 'Номер двери']],
  ] as const)('of %s tell %s in everyday words: %j', (kind, column, headings) => {
    expect(headings.map((heading) => guessed(kind, [heading])[0])).toEqual(
      headings.map(() => column),
    );
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
