// Reads the calls of /api/openapi.json.

/** The part of JSON Schema (draft 2020-12) that the description uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly default?: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
  /** When an answer has no body although there is a form of one. */
  readonly 'x-empty'?: string;
}

export interface Operation {
  /** In upper case. */
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly 'x-role'?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Content & { readonly required: boolean };
  readonly responses: Readonly<Record<string, Content>>;
}

export interface Description {
  readonly operations: readonly Operation[];
  /** Schemas by name. */
  readonly schemas: Readonly<Record<string, Schema>>;
  /** The call at an address; undefined for none. */
  at(method: string, pathname: string): Operation | undefined;
}

/** Reads the description of a running product. @throws Error if it has none */
export async function readDescription(url: string): Promise<Description> {
  const answer = await fetch(`${url}/api/openapi.json`);
  if (!answer.ok) throw new Error(`/api/openapi.json: ${answer.status}`);
  const { paths, components } = (await answer.json()) as {
    paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>;
    components: { schemas: Record<string, Schema> };
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({
      ...one,
      method: method.toUpperCase(),
      path,
    })),
  );
  const templates = operations.map((operation) => ({
    operation,
    parts: operation.path.split('/'),
  }));
  return {
    operations,
    schemas: components.schemas,
    at: (method, pathname) => {
      const parts = pathname.split('/');
      const fitting = templates.filter(
        (one) =>
          one.operation.method === method &&
          one.parts.length === parts.length &&
          one.parts.every((part, at) => part === parts[at] || (isOpen(part) && parts[at] !== '')),
      );
      // A literal path segment precedes a parameter.
      fitting.sort((a, b) => openness(a.parts) - openness(b.parts));
      return fitting[0]?.operation;
    },
  };
}

function isOpen(part: string): boolean {
  return part.startsWith('{');
}

function openness(parts: readonly string[]): number {
  return parts.filter(isOpen).length;
}

/** The schema of a reference. */
export function resolve(schema: Schema, schemas: Description['schemas']): Schema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...own } = schema;
  const name = $ref.split('/').at(-1) ?? '';
  const found = schemas[name];
  if (found === undefined) throw new Error(`There is no schema ${$ref}.`);
  const properties = { ...found.properties, ...own.properties };
  return { ...found, ...own, properties };
}
