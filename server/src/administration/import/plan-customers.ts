import { createCustomer, updateCustomer } from '@ridewatch/contract/admin-customers';
import { finderOf, fullName, turnedName } from './known.ts';
import { checkBody, keyOf } from './reading.ts';
import { changeOf, createOnce, fieldsIn, type MakePlanner, namesFor } from './row-plan.ts';
import { readStored } from './stored.ts';
import { STATUSES, YES_NO } from './words.ts';

/** Customers are found by their names; where none has it, by name and surname in either order. */
export const planCustomers: MakePlanner<'customers'> = async (db, viewer, _, nowMs) => {
  const find = finderOf(
    await readStored.customers(db, viewer, nowMs),
    ({ name }) => [name],
    (one) => [fullName(one)],
    turnedName,
  );
  const once = createOnce();
  return (reader) => {
    const name = reader.text('name');
    const found = name === '' ? [] : find(name);
    const [own, other] = found;
    if (other) {
      const words = namesFor(found.map((one) => ({ name: fullName(one) })));
      reader.refuse('name', 'several_clients', { words });
    }
    if (name !== '') once(reader, 'name', own ? `id ${own.id}` : `name ${keyOf(name)}`);
    const fields = {
      surname: reader.text('surname') || (own?.surname ?? null),
      patronymic: reader.text('patronymic') || (own?.patronymic ?? null),
      status: reader.choice('status', STATUSES) ?? own?.status,
      enabled: reader.choice('enabled', YES_NO) ?? own?.enabled,
    };
    if (own === undefined) {
      const body = checkBody(reader, createCustomer.body, { name, ...fields });
      return body && { kind: 'customers', creation: { kind: 'customers', body } };
    }
    const { id, surname, patronymic, status, enabled } = own;
    const made = changeOf<object>({ surname, patronymic, status, enabled }, fields);
    // A stored value may be older than the rules.
    if (made) checkBody(reader, updateCustomer.body, made);
    const change = made && ({ kind: 'customers', id, body: made } as const);
    return { kind: 'customers', stored: own, columns: fieldsIn(made), change };
  };
};
