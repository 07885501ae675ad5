import { createCustomer, updateCustomer } from '@ridewatch/contract/admin-customers';
import { byName } from './known.ts';
import { checkBody, keyOf } from './reading.ts';
import { changeOf, createOnce, fieldsIn, type MakePlanner } from './row-plan.ts';
import { readStored } from './stored.ts';
import { STATUSES, YES_NO } from './words.ts';

/** Customers are found by their names. */
export const planCustomers: MakePlanner<'customers'> = async (db, viewer, _, nowMs) => {
  const stored = await readStored.customers(db, viewer, nowMs);
  const known = byName(stored);
  // Other tables name a customer with its surname, too.
  const called = new Set(
    stored.map(({ name, surname }) => keyOf([name, surname].filter(Boolean).join(' '))),
  );
  const once = createOnce();
  return (reader) => {
    const name = reader.text('name');
    if (name !== '') once(reader, 'name', keyOf(name));
    const [own, other] = known.get(keyOf(name)) ?? [];
    if (other) reader.refuse('name', 'several');
    if (own === undefined && called.has(keyOf(name))) reader.refuse('name', 'taken');
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
