// A limit runs in its own process like the product: in the process of the load it would share a core with it.
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import type { Answer, LimitPlan } from './limits.ts';

process.once('message', (plan: LimitPlan) => {
  const server = createServer(handlerOf(plan));
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.send?.({ port });
  });
});
process.on('message', (message) => {
  if (message !== 'cpu') return;
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicroseconds: user + system });
});
process.once('disconnect', () => process.exit(0));

function handlerOf(plan: LimitPlan): RequestListener {
  switch (plan.kind) {
    case 'answers':
      return answersOf(plan);
    case 'row':
      return rowOf(plan);
    case 'file':
      return fileOf(plan);
  }
}

function answersOf({ answers }: Extract<LimitPlan, { kind: 'answers' }>): RequestListener {
  const byAddress = new Map(Object.entries(answers));
  return (request, response) => {
    const answer = byAddress.get(request.url ?? '');
    if (answer === undefined) response.writeHead(404).end();
    else send(response, answer);
  };
}

function rowOf({ database, text, values, answer }: Extract<LimitPlan, { kind: 'row' }>) {
  const pool = new pg.Pool({ connectionString: database, max: 10 });
  const listener: RequestListener = (_request, response) => {
    pool.query({ name: 'row', text, values: [...values] }).then(
      // A missing row would measure a miss.
      ({ rows }) => (rows.length === 1 ? send(response, answer) : response.writeHead(500).end()),
      () => response.writeHead(500).end(),
    );
  };
  return listener;
}

// Serves from memory, which is faster than any server that reads the file.
function fileOf({ file, headers }: Extract<LimitPlan, { kind: 'file' }>): RequestListener {
  const bytes = readFileSync(file);
  return (request, response) => {
    const [, from = '0', to = String(bytes.length - 1)] =
      /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
    const body = bytes.subarray(Number(from), Number(to) + 1);
    response.writeHead(206, { ...headers, 'content-length': body.length }).end(body);
  };
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers).end(body);
}
