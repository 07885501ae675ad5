import type { FieldWarning } from '@ridewatch/contract/unit';

/** Most warnings of an answer; there are fewer fields. */
const MOST_WARNINGS = 100;

/** The fields of a batch that are left out because their values are invalid. */
export interface FieldWarnings {
  /** Notes a field of a record, or of the batch itself; the first message of a field is kept. */
  add(type: string | null, field: string, message: string, index: number | null): void;
  list(): FieldWarning[];
}

/** Makes the list of one batch, which has one warning for each field. */
export function createFieldWarnings(): FieldWarnings {
  const byField = new Map<string, FieldWarning>();
  return {
    add: (type, field, message, index) => {
      const key = `${type} ${field}`;
      const known = byField.get(key);
      if (known !== undefined) known.count += 1;
      else if (byField.size < MOST_WARNINGS)
        byField.set(key, { type, field, message, count: 1, index });
    },
    list: () => [...byField.values()],
  };
}
