import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '@ridewatch/server/src/core/db/free-port.ts';
import { waitFor } from '../harness/product.ts';
import type { Limit } from './limits.ts';

const program = process.env.NGINX_PATH || 'nginx';

/** Whether this machine has nginx, on PATH or at NGINX_PATH. */
export function hasNginx(): boolean {
  return spawnSync(program, ['-v'], { stdio: 'ignore' }).status === 0;
}

/** Starts an nginx that sends the files of a folder by sendfile: one worker, no log. */
export async function startNginx(folder: string): Promise<Limit> {
  const home = await mkdtemp(path.join(tmpdir(), 'ridewatch-nginx-'));
  const port = await findFreePort();
  const file = path.join(home, 'nginx.conf');
  await writeFile(file, configOf(folder, home, port));
  const child = spawn(program, ['-p', home, '-c', file, '-e', path.join(home, 'error.log')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  await waitFor(async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
    return (await fetch(url).catch(() => undefined)) !== undefined;
  }, 'nginx to answer');
  return { url, close: () => stop(child, home) };
}

// Without tcp_nopush, which delays each range of 64 KiB by 38 ms on loopback.
function configOf(folder: string, home: string, port: number): string {
  return `daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${home}/nginx.pid;
events { worker_connections 256; }
http {
  sendfile on;
  tcp_nopush off;
  access_log off;
  keepalive_requests 1000000;
  client_body_temp_path ${home}/body;
  proxy_temp_path ${home}/proxy;
  fastcgi_temp_path ${home}/fastcgi;
  uwsgi_temp_path ${home}/uwsgi;
  scgi_temp_path ${home}/scgi;
  open_file_cache max=100;
  server { listen 127.0.0.1:${port}; root ${folder}; }
}
`;
}

async function stop(child: ChildProcess, home: string): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  await rm(home, { recursive: true, force: true });
}
