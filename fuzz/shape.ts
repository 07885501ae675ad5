// Checks an answer against its schema. It knows only the keywords of JSON Schema that the description uses; another one
// is an error, so that nothing stays unchecked.
import { type Description, resolve, type Schema } from './description.ts';

const KNOWN = new Set(
  `$ref type const enum anyOf oneOf properties required additionalProperties propertyNames items prefixItems minItems
   maxItems minLength maxLength minimum maximum pattern format default contentEncoding description`.split(
    /\s+/,
  ),
);

const formats: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/,
  date: /^\d{4}-\d\d-\d\d$/,
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
  binary: /^/,
};

type Schemas = Description['schemas'];

/**
 * Finds the first fault of a value.
 * @param at path of the value, for the message
 * @returns the fault with its path; undefined for none
 * @throws Error for a keyword that is not known here
 */
export function faultOf(
  given: Schema,
  value: unknown,
  schemas: Schemas,
  at = '$',
): string | undefined {
  const schema = resolve(given, schemas);
  checkWords(given);
  return (
    typeFault(schema, value, at) ??
    choiceFault(schema, value, schemas, at) ??
    textFault(schema, value, at) ??
    numberFault(schema, value, at) ??
    listFault(schema, value, schemas, at) ??
    objectFault(schema, value, schemas, at)
  );
}

const checked = new WeakSet<Schema>();

function checkWords(schema: Schema): void {
  if (checked.has(schema)) return;
  for (const word of Object.keys(schema)) {
    if (!KNOWN.has(word)) throw new Error(`The description uses the unknown keyword '${word}'.`);
  }
  checked.add(schema);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function typeFault({ type }: Schema, value: unknown, at: string): string | undefined {
  if (type === undefined) return undefined;
  const found = typeOf(value);
  const types = typeof type === 'string' ? [type] : type;
  const fits = types.some((one) => one === found || isWhole(one, value));
  return fits ? undefined : `${at} is ${found}, not ${String(type)}`;
}

function isWhole(type: string, value: unknown): boolean {
  return type === 'integer' && Number.isInteger(value);
}

function choiceFault(
  schema: Schema,
  value: unknown,
  schemas: Schemas,
  at: string,
): string | undefined {
  const isConst = !('const' in schema) || schema.const === value;
  if (!isConst || schema.enum?.includes(value) === false) {
    return `${at} is ${JSON.stringify(value)}, which is none of its values`;
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices === undefined) return undefined;
  const faults = choices.map((choice) => faultOf(choice, value, schemas, at));
  if (faults.includes(undefined)) return undefined;
  // The deepest fault belongs to the intended alternative.
  return faults.sort((a, b) => (b?.length ?? 0) - (a?.length ?? 0))[0];
}

function textFault(schema: Schema, value: unknown, at: string): string | undefined {
  if (typeof value !== 'string') return undefined;
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = schema;
  if (value.length < minLength || value.length > maxLength) {
    return `${at} has ${value.length} characters`;
  }
  if (pattern !== undefined && !new RegExp(pattern).test(value)) return `${at} is not ${pattern}`;
  if (format === undefined) return undefined;
  const form = formats[format];
  if (form === undefined) throw new Error(`The format '${format}' is unknown.`);
  return form.test(value) ? undefined : `${at} is not a ${format}: ${value.slice(0, 60)}`;
}

function numberFault(
  { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: Schema,
  value: unknown,
  at: string,
): string | undefined {
  if (typeof value !== 'number') return undefined;
  return value < minimum || value > maximum ? `${at} is ${value}` : undefined;
}

function listFault(
  { items, prefixItems = [], minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Schema,
  value: unknown,
  schemas: Schemas,
  at: string,
): string | undefined {
  if (!Array.isArray(value)) return undefined;
  if (value.length < minItems || value.length > maxItems) return `${at} has ${value.length} items`;
  for (const [index, one] of value.entries()) {
    const schema = prefixItems[index] ?? items;
    const fault =
      schema === undefined ? undefined : faultOf(schema, one, schemas, `${at}.${index}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function objectFault(
  { properties = {}, required = [], additionalProperties = true }: Schema,
  value: unknown,
  schemas: Schemas,
  at: string,
): string | undefined {
  if (typeOf(value) !== 'object') return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  const missing = required.find((name) => fields[name] === undefined);
  if (missing !== undefined) return `${at}.${missing} is missing`;
  for (const [name, one] of Object.entries(fields)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (schema === false) return `${at}.${name} is not described`;
    const fault = typeof schema === 'object' ? faultOf(schema, one, schemas, `${at}.${name}`) : '';
    if (fault) return fault;
  }
  return undefined;
}
