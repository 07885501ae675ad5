import { describe, expect, it } from 'vitest';
import { shapeOf } from './shape.ts';

describe('a shape of the API', () => {
  it('names fields, which of them are optional, their bounds and defaults', () => {
    const properties = {
      id: { type: 'integer', minimum: 1 },
      names: { type: 'array', items: { type: 'string', maxLength: 5 } },
      day: { type: 'string', format: 'date' },
      side: { enum: ['entered', 'exited'], default: 'entered' },
      error: { $ref: '#/components/schemas/Error' },
    };
    expect(shapeOf({ properties, required: ['id', 'names'] })).toBe(
      [
        '{',
        '  id: integer (1…)',
        '  names: list of string (…5 long)',
        '  day?: date',
        '  side?: "entered" | "exited", "entered" unless said',
        '  error?: #Error',
        '}',
      ].join('\n'),
    );
  });

  it('names choices, pairs and what may be anything', () => {
    expect(shapeOf({ anyOf: [{ const: 1 }, { type: ['string', 'null'] }, {}] })).toBe(
      '1 | string | null | anything',
    );
    expect(shapeOf({ prefixItems: [{ type: 'integer' }, { type: 'number' }] })).toBe(
      '[integer, number]',
    );
  });
});
