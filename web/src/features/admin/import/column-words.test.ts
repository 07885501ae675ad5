// The columns of tables have the words of the forms and lists, and a table with these headings, or with those that
// tables had before, is understood.
import { type ImportKind, importColumns } from '@ridewatch/contract/admin-import';
import { describe, expect, it } from 'vitest';
import { en as enAdmin } from '../texts-en.ts';
import { ru as ruAdmin } from '../texts-ru.ts';
import { columnName } from './cell-names.ts';
import { guessColumns } from './guess-columns.ts';
import { en } from './import-texts-en.ts';
import { ru } from './import-texts-ru.ts';

const kinds = Object.keys(importColumns) as ImportKind[];
const languages = [
  ['ru_RU', ruAdmin, ru],
  ['en_US', enAdmin, en],
] as const;

/** The fields of forms and lists that columns fill, where they have another name. */
const fields: Readonly<Record<string, string>> = {
  ...{ client: 'client_id', group: 'group_id', bus: 'bus_id', live: 'type' },
  ...{ 'buses device_id': 'unit', 'cameras enabled': 'inUse' },
};

describe.each(languages)('a column of a table in %s', (_, admin, text) => {
  it.each(kinds)('of %s is called as the form and the list call it', (kind) => {
    const labels: Readonly<Record<string, string>> = admin.fields;
    for (const column of importColumns[kind]) {
      const field = fields[`${kind} ${column}`] ?? fields[column] ?? column;
      expect(columnName(kind, column, text), `${kind} ${column}`).toBe(labels[field]);
    }
  });

  it.each(kinds)('of %s is known by that word', (kind) => {
    const columns = importColumns[kind];
    const headings = columns.map((column) => columnName(kind, column, text));
    expect(guessColumns(kind, headings, columns)).toEqual(columns);
  });
});

it.each([
  ['customers', ['Клиент', 'Включено', 'Customer'], ['name', 'enabled', null]],
  ['users', ['Login', 'May edit'], ['login', 'can_edit']],
  ['buses', ['Автобус', 'Тип', 'Мест всего'], ['name', 'type', 'places']],
  ['buses', ['Номер', 'Прибор'], ['name', 'device_id']],
  ['buses', ['Bus', 'Type', 'Unit'], ['name', 'type', 'device_id']],
  ['units', ['Прибор', 'Автобус'], ['device_id', 'bus']],
  ['units', ['Unit', 'Bus'], ['device_id', 'bus']],
  ['cameras', ['Камера', 'Считает', 'Включено'], ['name', 'counts', 'enabled']],
  ['cameras', ['Camera', 'Kind', 'Counts'], ['name', 'live', 'counts']],
] as const)(
  'a table of %s with the former headings %j is understood',
  (kind, headings, columns) => {
    expect(guessColumns(kind, headings, importColumns[kind])).toEqual(columns);
  },
);
