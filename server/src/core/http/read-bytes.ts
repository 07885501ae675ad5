import type { IncomingMessage } from 'node:http';
import { errorCodes } from 'fastify';
import { gatherBytes } from '../gathered-bytes.ts';

/**
 * Reads a body as Fastify does with `parseAs`, but into one memory: that keeps a buffer for each chunk, so that a stranger's
 * body in chunks of one byte would take a hundred times its limit.
 * @throws FST_ERR_CTP_BODY_TOO_LARGE, the rest unread; ECONNRESET when the client is gone
 */
export function readBytes(request: IncomingMessage, mostBytes = 0): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const gathered = gatherBytes(mostBytes);
    const end = (): void => {
      request.off('data', take).off('end', whole).off('error', fail).off('close', gone);
    };
    const fail = (error: Error): void => {
      end();
      reject(error);
    };
    const take = (part: Buffer): void => {
      if (gathered.length + part.length <= mostBytes) gathered.add(part);
      else fail(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    };
    const whole = (): void => {
      end();
      resolve(gathered.whole());
    };
    const gone = (): void => fail(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
    if (Number(request.headers['content-length'] ?? 0) > mostBytes) {
      reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
      return;
    }
    request.on('data', take).on('end', whole).on('error', fail).on('close', gone);
  });
}
