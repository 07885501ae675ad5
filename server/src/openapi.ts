import type { Endpoint } from '@ridewatch/contract/endpoint';
import { endpoints } from '@ridewatch/contract/endpoints';
import { ErrorBody, type ErrorCode, errorStatuses } from '@ridewatch/contract/errors';
import { UPLOADS_PATH } from '@ridewatch/contract/unit';
import * as z from 'zod/mini';
import type { Feature } from './app.ts';

type Json = Record<string, unknown>;

/** Describes every call of the contract at /api/openapi.json. */
export const addOpenApi: Feature = (app) => {
  const described = describeApi();
  app.get('/api/openapi.json', async () => described);
};

/** The OpenAPI 3.1 description, generated from the contract. */
export function describeApi(): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints as readonly Endpoint[]) {
    const operations = paths[endpoint.path] ?? {};
    operations[endpoint.method.toLowerCase()] = operationOf(endpoint);
    paths[endpoint.path] = operations;
  }
  paths[UPLOADS_PATH] = uploadsPath();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Ridewatch',
      version: '1',
      description: 'Calls of the web application, and the interface of on-board units (/unit/v1).',
    },
    paths,
    components: {
      schemas: { Error: schemaOf(ErrorBody) },
      securitySchemes: {
        user: { type: 'http', scheme: 'bearer', description: 'Access token of /oauth/token' },
        unit: { type: 'http', scheme: 'bearer', description: 'Credential of an on-board unit' },
      },
    },
  };
}

function operationOf(endpoint: Endpoint): Json {
  const { access, body, bodyType, maxBodyBytes, produces, response } = endpoint;
  const content =
    response === undefined
      ? Object.fromEntries((produces ?? []).map((type) => [type, {}]))
      : { 'application/json': { schema: schemaOf(response) } };
  const empty = Object.keys(content).length === 0;
  return {
    summary: endpoint.summary,
    ...(access === 'public' ? {} : { security: [{ [access === 'unit' ? 'unit' : 'user']: [] }] }),
    parameters: [
      ...parametersOf(endpoint.params, 'path'),
      ...parametersOf(endpoint.query, 'query'),
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            ...(maxBodyBytes === undefined
              ? {}
              : { description: `At most ${maxBodyBytes} bytes.` }),
            content: {
              [bodyType === 'form' ? 'application/x-www-form-urlencoded' : 'application/json']: {
                schema: schemaOf(body),
              },
            },
          },
        }),
    responses: {
      [empty ? '204' : '200']: { description: 'Success', ...(empty ? {} : { content }) },
      ...errorsOf(endpoint),
    },
  };
}

// A shut account may be met by any call of a user.
function errorsOf({ access, errors }: Endpoint): Json {
  const ofUser: readonly ErrorCode[] =
    access === 'user' || access === 'admin' ? ['user_inactive', 'user_blocked'] : [];
  const codes = [...new Set([...errors, ...ofUser])];
  const byStatus = Map.groupBy(codes, (code) => String(errorStatuses[code]));
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => [status, { description: same.join(', '), content }]),
  );
}

function parametersOf(schema: Endpoint['query'], where: 'path' | 'query'): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: property,
  }));
}

function schemaOf(schema: z.ZodMiniType): Json {
  const { $schema, ...described } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  }) as Json;
  return described;
}

function uploadsPath(): Json {
  const tus = { name: 'Tus-Resumable', in: 'header', required: true, schema: { const: '1.0.0' } };
  return {
    post: {
      summary: 'Begins a resumable upload of video (tus 1.0); Location names it',
      security: [{ unit: [] }],
      parameters: [
        tus,
        { name: 'Upload-Length', in: 'header', required: true, schema: { type: 'integer' } },
        {
          name: 'Upload-Metadata',
          in: 'header',
          required: true,
          description:
            'stream, seq of the announcement; sha256 (hex) of the file; base64 as tus wants',
          schema: { type: 'string' },
        },
      ],
      responses: { 201: { description: 'Created' }, 409: { description: 'Not wanted' } },
    },
  };
}
