import { bodyTypes, type Endpoint } from '@ridewatch/contract/endpoint';
import { endpoints } from '@ridewatch/contract/endpoints';
import { ErrorBody, type ErrorCode, errorStatuses } from '@ridewatch/contract/errors';
import { UPLOADS_PATH } from '@ridewatch/contract/unit';
import type { Feature } from './app.ts';
import { answerKept } from './http.ts';
import { keptAnswer } from './kept-answer.ts';
import { apiPage } from './openapi-page.ts';
import { type Json, recordSchemas, schemaOf } from './openapi-schemas.ts';

/** Describes every call of the contract: /api/openapi.json for programs, /api/docs for people. */
export const addOpenApi: Feature = async (app) => {
  const description = describeApi();
  const json = await keptAnswer(JSON.stringify(description));
  const page = await keptAnswer(apiPage(description), 'text/html; charset=utf-8');
  app.get('/api/openapi.json', (request, reply) => answerKept(request, reply, json));
  app.get('/api/docs', (request, reply) => answerKept(request, reply, page));
};

/** The OpenAPI 3.1 description, generated from the contract. */
export function describeApi(): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints as readonly Endpoint[]) {
    const operations = paths[endpoint.path] ?? {};
    operations[endpoint.method.toLowerCase()] = operationOf(endpoint);
    paths[endpoint.path] = operations;
  }
  Object.assign(paths, uploadPaths());
  return {
    openapi: '3.1.0',
    info: {
      title: 'Ridewatch',
      version: '1',
      description: 'Calls of the web application, and the interface of on-board units (/unit/v1).',
    },
    paths,
    components: {
      schemas: { Error: schemaOf(ErrorBody), ...recordSchemas() },
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
              [bodyTypes[bodyType ?? 'json']]: { schema: schemaOf(body) },
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

// The protocol of uploads is tus; the library that speaks it is no part of the contract.
function uploadPaths(): Record<string, Json> {
  const text = { type: 'string' };
  const header = (name: string, schema: Json, description?: string): Json => ({
    name,
    in: 'header',
    required: true,
    schema,
    ...(description === undefined ? {} : { description }),
  });
  const common = [header('Tus-Resumable', { const: '1.0.0' })];
  const id = { name: 'uploadId', in: 'path', required: true, schema: text };
  const security = [{ unit: [] }];
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  const refusal = (description: string): Json => ({ description, content });
  const answers = (more: Json): Json => ({
    400: refusal('invalid_request'),
    ...more,
    401: refusal('unauthorized'),
    404: refusal('not_found'),
    412: refusal('unsupported_version'),
  });
  return {
    [UPLOADS_PATH]: {
      post: {
        summary: 'Begins a resumable upload of video (tus 1.0); Location names it',
        security,
        parameters: [
          ...common,
          header('Upload-Length', { type: 'integer' }, 'Bytes of the whole file.'),
          header(
            'Upload-Metadata',
            text,
            'stream, seq of the announcement; sha256 (hex) of the file; base64 as tus wants',
          ),
        ],
        responses: answers({
          201: { description: 'Created' },
          409: refusal('conflict: the video is not wanted'),
          413: refusal('too_large'),
        }),
      },
    },
    [`${UPLOADS_PATH}/{uploadId}`]: {
      head: {
        summary: 'Upload-Offset says how much of the file is there',
        security,
        parameters: [id, ...common],
        responses: answers({ 200: { description: 'Upload-Offset and Upload-Length' } }),
      },
      patch: {
        summary: 'Adds the next bytes of the file',
        security,
        parameters: [id, ...common, header('Upload-Offset', { type: 'integer' })],
        requestBody: { required: true, content: { 'application/offset+octet-stream': {} } },
        responses: answers({
          204: { description: 'Received; Upload-Offset says up to where' },
          409: refusal('offset_mismatch: Upload-Offset is not where the file ends'),
          413: refusal('too_large'),
          415: refusal('unsupported_media_type'),
        }),
      },
      delete: {
        summary: 'Ends an upload that is not whole',
        security,
        parameters: [id, ...common],
        responses: answers({ 204: { description: 'Ended' } }),
      },
    },
  };
}
