import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A call that a test webhook got. */
export interface ReceivedCall {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * Starts an HTTP server that takes webhooks.
 * @param statusOf the status of the n-th answer, from 0; `never`: it does not answer
 */
export async function startWebhook(statusOf: (call: number) => number | 'never') {
  const calls: ReceivedCall[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const status = statusOf(calls.length);
    calls.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    if (status === 'never') return;
    const location = status === 302 ? { location: '/elsewhere' } : {};
    response.writeHead(status, location).end('x'.repeat(1000));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    calls,
    url: `http://127.0.0.1:${port}/hook`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A mail that a test mail server took. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** With its headers. */
  readonly text: string;
}

/** Starts a mail server on a socket; it asks for a login. @param refuses whether it refuses every mail */
export async function startMailServer(refuses: () => boolean = () => false) {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'bus' && password === 'pa ss'
        ? done(null, { user: 'bus' })
        : done(new Error('no')),
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (refuses()) return done(new Error('Mailbox is full'));
        mails.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString(),
        });
        return done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    mails,
    url: `smtp://bus:pa%20ss@127.0.0.1:${port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
