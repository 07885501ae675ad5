// What the product is measured against: the least that could send the same bytes.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type pg from 'pg';

export interface Limit {
  readonly url: string;
  close(): Promise<void>;
}

/** Bare node:http that sends the same bytes at every call. */
export function bareBytes(body: Buffer, headers: Readonly<Record<string, string>>): Promise<Limit> {
  return listen(
    createServer((_request, response) => {
      response.writeHead(200, { ...headers, 'content-length': body.length }).end(body);
    }),
  );
}

/** Bare node:http that says 304 at every call. */
export function bareNotModified(): Promise<Limit> {
  return listen(createServer((_request, response) => response.writeHead(304).end()));
}

/** Bare node:http that reads one indexed row by the bare driver, then sends the same bytes. */
export function bareRow(
  pool: pg.Pool,
  text: string,
  values: readonly unknown[],
  body: Buffer,
): Promise<Limit> {
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  return listen(
    createServer((_request, response) => {
      pool.query({ name: 'row', text, values: [...values] }).then(
        // Without the row it would measure a miss.
        ({ rows }) => response.writeHead(rows.length === 1 ? 200 : 500, headers).end(body),
        () => response.writeHead(500).end(),
      );
    }),
  );
}

function listen(server: Server): Promise<Limit> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        url: `http://127.0.0.1:${port}`,
        close: () =>
          new Promise((done) => {
            server.closeAllConnections();
            server.close(() => done());
          }),
      });
    });
  });
}
