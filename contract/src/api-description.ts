import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

const Json = z.record(z.string(), z.unknown());

/** A body or an answer, with its schemas by media type. */
const Content = z.looseObject({
  description: z.optional(z.string()),
  content: z.optional(z.record(z.string(), z.looseObject({ schema: z.optional(Json) }))),
});
export type Content = z.infer<typeof Content>;

const Operation = z.looseObject({
  summary: z.string(),
  /** The only role that may use the call. */
  'x-role': z.optional(z.string()),
  /** The scope of API keys that may use it. */
  'x-scope': z.optional(z.string()),
  /** Absent: without a token. */
  security: z.optional(z.array(z.record(z.string(), z.array(z.string())))),
  parameters: z.array(
    z.looseObject({
      name: z.string(),
      in: z.string(),
      required: z.boolean(),
      description: z.optional(z.string()),
      schema: Json,
    }),
  ),
  requestBody: z.optional(Content),
  responses: z.record(z.string(), Content),
});
export type Operation = z.infer<typeof Operation>;

/** The part of the OpenAPI description that screens read. */
export const ApiDescription = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({ schemas: z.record(z.string(), Json) }),
});
export type ApiDescription = z.infer<typeof ApiDescription>;

export const describeApi = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  summary: 'This description, in OpenAPI 3.1',
  access: 'public',
  tagged: true,
  response: ApiDescription,
  errors: [],
});
