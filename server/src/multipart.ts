import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from './errors.ts';

/**
 * Reads bodies of multipart/form-data into an object: texts and files by the names of their fields, repeated ones as
 * lists. A body is as large as its call allows, so it is held in memory.
 */
export function readMultipart(app: FastifyInstance): void {
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) =>
      fieldsOf(body, request.headers['content-type'] ?? ''),
  );
}

type Field = string | File;

async function fieldsOf(body: Buffer, type: string): Promise<Record<string, unknown>> {
  const fields: Record<string, Field | Field[]> = Object.create(null);
  for (const [name, value] of await formOf(body, type)) {
    const before = fields[name];
    fields[name] = before === undefined ? value : [before, value].flat();
  }
  return fields;
}

async function formOf(body: Buffer, type: string): Promise<FormData> {
  try {
    return await new Response(body, { headers: { 'content-type': type } }).formData();
  } catch (cause) {
    throw new AppError('invalid_request', 'The body is not multipart/form-data.', { cause });
  }
}
