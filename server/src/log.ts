import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Structured logs, one JSON object a line; secrets never reach them. */
export function createLog(level: string): Log {
  return pino({
    level,
    redact: {
      paths: [
        'req.headers',
        '*.password',
        '*.old_password',
        '*.new_password',
        '*.refresh_token',
        '*.access_token',
        '*.credential',
        '*.hash',
      ],
      censor: '[redacted]',
    },
  });
}

/** An address without what must not be written down: video signatures travel in the query. */
export function loggableUrl(url: string): string {
  return url.replace(/([?&](?:hash|access_token|token)=)[^&]*/g, '$1[redacted]');
}
