// The columns of tables have the words of the forms and lists, and a table with these headings, or with those that
// tables had before, is understood.
import { type ImportKind, importColumns } from '@ridewatch/contract/admin-import';
import {
  type ProtocolSettingField,
  protocolNames,
  protocolOf,
  protocolSettingFields,
} from '@ridewatch/contract/unit-protocols';
import { describe, expect, it } from 'vitest';
import { en as enSpoken } from '../protocol-texts-en.ts';
import { ru as ruSpoken } from '../protocol-texts-ru.ts';
import { en as enAdmin } from '../texts-en.ts';
import { ru as ruAdmin } from '../texts-ru.ts';
import { columnName } from './cell-names.ts';
import { guessColumns } from './guess-columns.ts';
import { en } from './import-texts-en.ts';
import { ru } from './import-texts-ru.ts';

// A table has the settings of all protocols beside each other.
function spokenIn(fields: typeof ruSpoken.fields): Readonly<Record<string, string>> {
  const settings = Object.keys(protocolSettingFields) as ProtocolSettingField[];
  const named = settings.map((field) => {
    const [first = '', ...rest] = fields[field];
    return [field, `${protocolNames[protocolOf(field)]}: ${first.toLowerCase()}${rest.join('')}`];
  });
  return { ...fields, ...Object.fromEntries(named) };
}

const kinds = Object.keys(importColumns) as ImportKind[];
const languages = [
  ['ru_RU', { ...ruAdmin.fields, ...spokenIn(ruSpoken.fields) }, ru],
  ['en_US', { ...enAdmin.fields, ...spokenIn(enSpoken.fields) }, en],
] as const;

/** The fields of forms and lists that columns fill, where they have another name. */
const fields: Readonly<Record<string, string>> = {
  ...{ client: 'client_id', group: 'group_id', bus: 'bus_id', live: 'type' },
  ...{ 'buses device_id': 'unit', 'cameras enabled': 'inUse' },
};

describe.each(languages)('a column of a table in %s', (_, said, text) => {
  it.each(kinds)('of %s is called as the form and the list call it', (kind) => {
    const labels: Readonly<Record<string, string>> = said;
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
