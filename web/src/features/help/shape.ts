type Json = Readonly<Record<string, unknown>>;

/**
 * A JSON Schema in TypeScript's notation; `#Name` refers to a shape that is described elsewhere.
 * @param indent of the lines inside
 */
export function shapeOf(schema: Json, indent = ''): string {
  const { default: fallback, ...rest } = schema;
  if (fallback !== undefined) {
    return `${shapeOf(rest, indent)}, ${JSON.stringify(fallback)} unless said`;
  }
  if (typeof schema.$ref === 'string') return `#${schema.$ref.split('/').at(-1)}`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return choices.map((one) => shapeOf(one, indent)).join(' | ');
  if (Array.isArray(schema.prefixItems)) {
    return `[${schema.prefixItems.map((one) => shapeOf(one, indent)).join(', ')}]`;
  }
  if (schema.type === 'array') return `list of ${shapeOf(asJson(schema.items), indent)}`;
  if (schema.properties === undefined) return simpleOf(schema);
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const lines = Object.entries(asJson(schema.properties)).map(
    ([name, property]) =>
      `${indent}  ${name}${required.includes(name) ? '' : '?'}: ${shapeOf(asJson(property), `${indent}  `)}\n`,
  );
  return `{\n${lines.join('')}${indent}}`;
}

function simpleOf({ type, format, minimum, maximum, minLength, maxLength }: Json): string {
  const from = minimum ?? minLength;
  const to = maximum ?? maxLength;
  const length = minLength === undefined && maxLength === undefined ? '' : ' long';
  const bounds =
    from === undefined && to === undefined ? '' : ` (${from ?? ''}…${to ?? ''}${length})`;
  return `${[format ?? type ?? 'anything'].flat().join(' | ')}${bounds}`;
}

function asJson(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
