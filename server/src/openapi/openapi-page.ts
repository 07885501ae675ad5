// Renders the description of the API as one page, without scripts, fonts or resources of other sites.
import type { Json } from './openapi-schemas.ts';

const style = `
:root { color-scheme: light dark; --line: #8883; --dim: #777; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2.5rem; }
details { border-top: 1px solid var(--line); }
summary { cursor: pointer; padding: .5rem 0; }
code, pre { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; margin: .25rem 0 1rem; padding: .75rem; border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: collapse; margin: .25rem 0 1rem; }
td { border: 1px solid var(--line); padding: .25rem .75rem; vertical-align: top; }
h3 { font-size: 1em; margin: .75rem 0 0; }
.dim { color: var(--dim); }`;

const callers: readonly [string, (operation: Operation) => boolean][] = [
  [
    'Signed-in users',
    ({ security, 'x-role': role }) => security?.[0]?.user !== undefined && role === undefined,
  ],
  ['Administrators', ({ 'x-role': role }) => role === 'ADMIN'],
  ['On-board units', ({ security }) => security?.[0]?.unit !== undefined],
  ['Without a token', ({ security }) => security === undefined],
];

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Json }>>;
  readonly description?: string;
}

interface Operation {
  readonly summary: string;
  /** The only role that may use the call. */
  readonly 'x-role'?: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters: readonly (Json & { name: string; in: string; schema: Json })[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** Renders the page. @param described the OpenAPI description */
export function apiPage(described: Json): string {
  const { paths, components } = described as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Json> };
  };
  const calls: Call[] = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method, path, operation })),
  );
  const sections = callers.map(
    ([title, belongs]) =>
      `<h2>${title}</h2>${calls
        .filter((call) => belongs(call.operation))
        .map(callOf)
        .join('')}`,
  );
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `<h3 id="${name}">${name}</h3>${shapeBox(schema)}`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Ridewatch API</title>
<meta name="viewport" content="width=device-width"><style>${style}</style>
<h1>Ridewatch API</h1>
<p>Calls carry <code>Authorization: Bearer …</code>: the access token of <code>/oauth/token</code>, or a unit's
credential. Every answer that is no success is an <a href="#Error">Error</a>. Moments are ISO 8601 in UTC, days
<code>YYYY-MM-DD</code>, repeated keys are lists. For programs: <a href="/api/openapi.json">openapi.json</a>.</p>
${sections.join('')}<h2>Shapes</h2>${schemas.join('')}</html>`;
}

function callOf({ method, path, operation }: Call): string {
  const { summary, parameters, requestBody, responses } = operation;
  const rows = parameters.map(
    ({ name, schema, required, description, ...parameter }) =>
      `<tr><td><code>${name}</code><td>${parameter.in}${required === true ? '' : ', optional'}` +
      `<td><code>${escapeHtml(shapeOf(schema, ''))}</code> ${escapeHtml(String(description ?? ''))}`,
  );
  const body = requestBody === undefined ? '' : `<h3>Body</h3>${contentOf(requestBody)}`;
  const answers = Object.entries(responses);
  // All successes have one schema: show it once.
  const [good, ...others] = answers.filter(([status]) => /^[23]/.test(status));
  const errors = [...others, ...answers.filter(([status]) => /^[45]/.test(status))].map(
    ([status, { description }]) => `<tr><td>${status}<td>${escapeHtml(description ?? '')}`,
  );
  return [
    `<details><summary><code><b>${method.toUpperCase()}</b> ${path}</code> `,
    `<span class="dim">${escapeHtml(summary)}</span></summary>`,
    rows.length === 0 ? '' : `<h3>Parameters</h3><table>${rows.join('')}</table>`,
    body,
    good === undefined ? '' : `<h3>${good[0]}</h3>${contentOf(good[1])}`,
    errors.length === 0 ? '' : `<h3>Other answers</h3><table>${errors.join('')}</table>`,
    '</details>',
  ].join('');
}

function contentOf({ content, description }: Content): string {
  const forms = Object.entries(content ?? {}).map(
    ([type, { schema }]) =>
      `<p class="dim">${escapeHtml(type)}</p>${schema === undefined ? '' : shapeBox(schema)}`,
  );
  return `${forms.length > 0 && description === 'Success' ? '' : `<p>${escapeHtml(description ?? '')}</p>`}${forms.join('')}`;
}

function shapeBox(schema: Json): string {
  const shape = escapeHtml(shapeOf(schema, ''));
  return `<pre>${shape.replace(/#(\w+)/g, '<a href="#$1">$1</a>')}</pre>`;
}

/** A schema in TypeScript's notation; `#Name` refers to a shape described elsewhere. */
function shapeOf(schema: Json, indent: string): string {
  const { default: fallback, ...rest } = schema;
  if (fallback !== undefined)
    return `${shapeOf(rest, indent)}, ${JSON.stringify(fallback)} unless said`;
  if (typeof schema.$ref === 'string') return `#${schema.$ref.split('/').at(-1)}`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return choices.map((one) => shapeOf(one, indent)).join(' | ');
  if (Array.isArray(schema.prefixItems)) {
    return `[${schema.prefixItems.map((one) => shapeOf(one, indent)).join(', ')}]`;
  }
  if (schema.type === 'array') return `list of ${shapeOf((schema.items ?? {}) as Json, indent)}`;
  if (schema.properties === undefined) return simpleOf(schema);
  const required = new Set(schema.required as readonly string[] | undefined);
  const lines = Object.entries(schema.properties as Record<string, Json>).map(
    ([name, property]) =>
      `${indent}  ${name}${required.has(name) ? '' : '?'}: ${shapeOf(property, `${indent}  `)}\n`,
  );
  return `{\n${lines.join('')}${indent}}`;
}

function simpleOf(schema: Json): string {
  const { type, format, minimum, maximum, minLength, maxLength } = schema;
  const from = minimum ?? minLength;
  const to = maximum ?? maxLength;
  const length = minLength === undefined && maxLength === undefined ? '' : ' long';
  const bounds =
    from === undefined && to === undefined ? '' : ` (${from ?? ''}…${to ?? ''}${length})`;
  return `${[format ?? type ?? 'anything'].flat().join(' | ')}${bounds}`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
