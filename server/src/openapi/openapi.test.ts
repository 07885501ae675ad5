import { ApiScope } from '@ridewatch/contract/api-scope';
import { issueTokens } from '@ridewatch/contract/auth';
import type { Endpoint } from '@ridewatch/contract/endpoint';
import { endpoints } from '@ridewatch/contract/endpoints';
import { errorStatuses } from '@ridewatch/contract/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addOpenApi } from './openapi.ts';

// The parts of the OpenAPI 3.1.0 schema that this document uses; anything else is an error.
const Schema = z.record(z.string(), z.unknown());
const MediaTypes = z.record(
  z.string().check(z.regex(/^[\w.+-]+\/[\w.+-]+$/)),
  z.strictObject({ schema: z.optional(Schema) }),
);
const SecurityScheme = z.enum(['client', 'user', 'key', 'unit']);
const Operation = z.strictObject({
  operationId: z.string().check(z.regex(/^[a-z][A-Za-z]+$/)),
  summary: z.string().check(z.minLength(1)),
  'x-role': z.optional(z.literal('ADMIN')),
  'x-scope': z.optional(ApiScope),
  security: z.optional(z.array(z.partialRecord(SecurityScheme, z.array(z.string())))),
  parameters: z.array(
    z.strictObject({
      name: z.string(),
      in: z.enum(['path', 'query', 'header']),
      required: z.boolean(),
      description: z.optional(z.string()),
      schema: Schema,
    }),
  ),
  requestBody: z.optional(
    z.strictObject({
      description: z.optional(z.string()),
      required: z.boolean(),
      content: MediaTypes,
    }),
  ),
  responses: z.record(
    z.string().check(z.regex(/^[1-5]\d\d$/)),
    z.strictObject({
      description: z.string(),
      content: z.optional(MediaTypes),
      'x-empty': z.optional(z.string()),
    }),
  ),
});
const Document = z.strictObject({
  openapi: z.string().check(z.regex(/^3\.1\.\d+$/)),
  info: z.strictObject({ title: z.string(), version: z.string(), description: z.string() }),
  paths: z.record(
    z.string().check(z.startsWith('/')),
    z.partialRecord(
      z.enum(['get', 'put', 'post', 'delete', 'head', 'patch', 'options']),
      Operation,
    ),
  ),
  components: z.strictObject({
    schemas: z.record(z.string(), Schema),
    securitySchemes: z.record(
      SecurityScheme,
      z.strictObject({
        type: z.literal('http'),
        scheme: z.enum(['bearer', 'basic']),
        description: z.string(),
      }),
    ),
  }),
});

let server: TestServer;
let text: string;
let document: z.infer<typeof Document>;
beforeAll(async () => {
  server = await createTestServer([addOpenApi]);
  text = (await server.app.inject('/api/openapi.json')).body;
  document = Document.parse(JSON.parse(text));
});
afterAll(() => server.close());

const operationOf = ({ path, method }: Endpoint) => {
  const operations: Partial<Record<string, z.infer<typeof Operation>>> = document.paths[path] ?? {};
  const operation = operations[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${method} ${path} is not described`);
  return operation;
};
const all: readonly Endpoint[] = endpoints;
const calls = all.map((one) => [`${one.method} ${one.path}`, one] as const);

describe('the API description', () => {
  it.each(calls)('names who calls %s and its errors', (_name, endpoint) => {
    const { security, responses, 'x-role': role, 'x-scope': scope } = operationOf(endpoint);
    expect(scope).toBe(endpoint.scope);
    expect(role).toBe(endpoint.access === 'admin' ? 'ADMIN' : undefined);
    const scheme = endpoint.access === 'unit' ? 'unit' : 'user';
    const ofKeys = scope === undefined ? [] : [{ key: [scope] }];
    const ofStrangers = endpoint === issueTokens ? [{ client: [] }] : undefined;
    expect(security).toEqual(
      endpoint.access === 'public' ? ofStrangers : [{ [scheme]: [] }, ...ofKeys],
    );
    for (const code of endpoint.errors) {
      expect(responses[errorStatuses[code]]?.description.split(', ')).toContain(code);
    }
    const isEmpty = endpoint.response === undefined && endpoint.produces === undefined;
    const isFile = endpoint.errors.includes('range_not_satisfiable');
    const isTagged = isFile || endpoint.tagged === true;
    expect(Object.keys(responses).filter((status) => /^[23]/.test(status))).toEqual([
      isEmpty ? '204' : '200',
      ...(isFile ? ['206'] : []),
      ...(isTagged ? ['304'] : []),
    ]);
  });

  it.each(calls)('has the parameters and the body of %s', (_name, endpoint) => {
    const { parameters, requestBody } = operationOf(endpoint);
    const named = (where: string) =>
      parameters.filter((one) => one.in === where).map(({ name }) => name);
    expect(named('path')).toEqual(
      [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    );
    const query = z.toJSONSchema(endpoint.query ?? z.object({}), {
      unrepresentable: 'any',
      io: 'input',
    });
    expect(named('query')).toEqual(Object.keys(query.properties ?? {}));
    expect(parameters.filter((one) => one.in === 'path').every((one) => one.required)).toBe(true);
    expect(requestBody === undefined).toBe(endpoint.body === undefined);
  });

  it.each(calls)('says what any call of its kind may meet: %s', (_name, endpoint) => {
    const { responses } = operationOf(endpoint);
    const codes = Object.values(responses).flatMap(({ description }) => description.split(', '));
    expect(codes).toEqual(
      expect.arrayContaining(['unavailable', 'request_timeout', 'headers_too_large']),
    );
    if (endpoint.method !== 'GET') {
      expect(codes).toEqual(
        expect.arrayContaining(['invalid_request', 'too_large', 'unsupported_media_type']),
      );
    }
    if (endpoint.access === 'user' || endpoint.access === 'admin') {
      expect(codes).toEqual(expect.arrayContaining(['user_inactive', 'user_blocked']));
    }
  });

  it('has what protocols of others can answer: no room, another type, too much, not served', () => {
    const statusesOf = (method: 'get' | 'post' | 'patch' | 'put' | 'delete', path: string) =>
      Object.keys(document.paths[path]?.[method]?.responses ?? {});
    const always = ['400', '401', '404', '408', '415', '431', '503'];
    const of = (...more: string[]) => [...more, ...always].sort();
    expect(statusesOf('post', '/unit/v1/uploads')).toEqual(of('201', '409', '412', '413', '507'));
    expect(statusesOf('patch', '/unit/v1/uploads/{uploadId}')).toEqual(
      of('204', '409', '412', '413', '507'),
    );
    expect(statusesOf('put', '/unit/v1/live/{key}/{name}')).toEqual(of('204', '413'));
    expect(statusesOf('delete', '/unit/v1/live/{key}/{name}')).toEqual(of('204'));
    // It has no credential: an id that no unit has is refused in the words of the form.
    const query = ['200', '400', '403', '408', '415', '429', '431', '503'];
    expect(statusesOf('get', '/unit/osmand')).toEqual(query);
    expect(statusesOf('post', '/unit/osmand')).toEqual([...query, '404', '413'].sort());
  });

  it('describes nothing twice, and outside the contract only uploads, live streams and the OsmAnd form', () => {
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const extra = described.filter((one) => !calls.some(([name]) => name === one));
    expect(extra).toEqual([
      'POST /unit/v1/uploads',
      'OPTIONS /unit/v1/uploads',
      'HEAD /unit/v1/uploads/{uploadId}',
      'PATCH /unit/v1/uploads/{uploadId}',
      'DELETE /unit/v1/uploads/{uploadId}',
      'OPTIONS /unit/v1/uploads/{uploadId}',
      'PUT /unit/v1/live/{key}/{name}',
      'DELETE /unit/v1/live/{key}/{name}',
      'GET /unit/osmand',
      'POST /unit/osmand',
    ]);
    expect(described.length - extra.length).toBe(calls.length);
  });

  it('names each call, and by the same name for ever: generated clients call it so', async () => {
    const named = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(
        ([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`,
      ),
    );
    const ids = named.map((line) => line.split(' ')[0]);
    expect(ids).toEqual([...new Set(ids)]);
    await expect(`${named.toSorted().join('\n')}\n`).toMatchFileSnapshot('operation-ids.txt');
  });

  it('refers only to shapes that it has, and knows each type of record', () => {
    const names = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name]) => name,
    );
    expect(new Set(names)).toEqual(new Set(Object.keys(document.components.schemas)));
    expect(names.filter((name) => name?.endsWith('Record'))).toHaveLength(4);
  });

  it('says days, moments and ids in the words of JSON Schema', () => {
    const day = document.paths['/api/segments/day-segments']?.get?.parameters;
    expect(day?.map(({ schema }) => schema)).toEqual([
      { type: 'integer', minimum: 1 },
      { type: 'string', format: 'date' },
    ]);
  });
});

describe('the address of the description', () => {
  it('for people leads to the screen that shows it', async () => {
    const { statusCode, headers } = await server.app.inject('/api/docs');
    expect([statusCode, headers.location]).toEqual([302, '/help/api']);
  });

  it('for programs is not sent again to who has it', async () => {
    const { etag } = (await server.app.inject('/api/openapi.json')).headers;
    const headers = { 'if-none-match': `${etag}` };
    const again = await server.app.inject({ url: '/api/openapi.json', headers });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });
});
