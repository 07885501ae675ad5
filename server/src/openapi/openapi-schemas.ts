// The contract's schemas as JSON Schema for OpenAPI 3.1: without zod's long patterns for dates, and with the records of
// a batch, which the server validates one by one.
import { type ErrorCode, errorStatuses } from '@ridewatch/contract/errors';
import { Day, IdText } from '@ridewatch/contract/primitives';
import {
  Batch,
  CameraStateRecord,
  PassengerRecord,
  PositionRecord,
  SegmentRecord,
} from '@ridewatch/contract/unit';
import * as z from 'zod/mini';

export type Json = Record<string, unknown>;

const records = { PositionRecord, PassengerRecord, CameraStateRecord, SegmentRecord };

/** A schema in JSON Schema (draft 2020-12). @param io input: what a client sends; output: what it gets */
export function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema, ...described } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === Day) replace(jsonSchema, { type: 'string', format: 'date' });
      if (zodSchema === IdText) replace(jsonSchema, { type: 'integer', minimum: 1 });
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (zodSchema === Batch) {
        const anyOf = Object.keys(records).map((name) => ({
          $ref: `#/components/schemas/${name}`,
        }));
        Object.assign(jsonSchema.properties?.records ?? {}, { items: { anyOf } });
      }
    },
  }) as Json;
  return described;
}

/** The schemas of records by name. */
export function recordSchemas(): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(records).map(([name, schema]) => [name, schemaOf(schema, 'input')]),
  );
}

/** Errors by status; the body has one of its codes. */
export function refusalsOf(codes: Iterable<ErrorCode>): Record<string, Json> {
  const byStatus = Map.groupBy(codes, (code) => String(errorStatuses[code]));
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => {
      const schema = {
        $ref: '#/components/schemas/Error',
        properties: { error: { enum: same } },
      };
      return [
        status,
        { description: same.join(', '), content: { 'application/json': { schema } } },
      ];
    }),
  );
}

function replace(described: object, by: Json): void {
  for (const key of Object.keys(described)) Reflect.deleteProperty(described, key);
  Object.assign(described, by);
}
