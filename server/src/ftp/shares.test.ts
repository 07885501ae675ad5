// How registrars and strangers share the connections and the data ports of FTP.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createFtpWorld, type FtpClient } from '../test/ftp.ts';
import { useWorld } from '../test/use-world.ts';

const FILE = Buffer.alloc(200_000, 'video');
const STRANGER = '127.0.0.2';

const world = useWorld(createFtpWorld);
afterEach(() => world.endTest());

const issue = async () => world.issue(await world.announceNext(), FILE.length);
const signedIn = async (port: number) => world.signedIn(port, await issue());
/** Opens the port with a range of one port for data. @param egts the port of EGTS is that one, too */
const openNarrow = async ({ egts = false } = {}) => {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as { port: number };
  await new Promise((resolve) => free.close(resolve));
  const ftpPassivePorts = { first: port, last: port };
  const config = { ...world.server.deps.config, ftpPassivePorts, ...(egts && { egtsPort: port }) };
  return world.open({}, { ...world.server.deps, config });
};
const isOpen = async (one: FtpClient) => expect(await one.ask('NOOP')).toMatch(/^200/);

describe('a port for data', () => {
  it('is free for the next upload while one runs by it', async () => {
    const at = await openNarrow();
    const [one, other] = [await signedIn(at), await signedIn(at)];
    const data = await one.openData();
    expect(await one.ask('STOR a')).toMatch(/^150/);
    data.write(FILE.subarray(0, 1000));
    expect(await other.send(FILE)).toMatch(/^226/);
    data.end(FILE.subarray(1000));
    expect(await one.answer()).toMatch(/^226/);
  });

  it('is never one of another setting, which the process may be about to open', async () => {
    const one = await signedIn(await openNarrow({ egts: true }));
    expect(await one.ask('EPSV')).toMatch(/^425/);
  });

  it('is one of a login: the next one that it opens closes that before', async () => {
    const at = await world.open();
    const login = await issue();
    const first = await world.signedIn(at, login);
    const port = Number(/\|(\d+)\|/.exec(await first.ask('EPSV'))?.[1]);
    const second = await world.signedIn(at, login);
    expect(await second.ask('EPSV')).toMatch(/^229/);
    const late = connect(port, '127.0.0.1');
    expect((await once(late, 'error'))[0]).toMatchObject({ code: 'ECONNREFUSED' });
    expect(await first.ask('STOR a')).toMatch(/^150/);
    expect(await first.answer()).toMatch(/^425/);
    expect(await second.send(FILE)).toMatch(/^226/);
  });
});

describe('the connections of the FTP port', () => {
  it('are so many at most once all have signed in', async () => {
    const port = await world.open({ connections: 3 });
    const three = [await signedIn(port), await signedIn(port), await signedIn(port)];
    const late = connect(port, '127.0.0.1').setEncoding('latin1');
    expect((await once(late, 'data'))[0]).toMatch(/^421/);
    for (const one of three) await isOpen(one);
    three[1]?.cut();
    await vi.waitFor(async () => isOpen(await world.client(port)));
  });

  it('of an address that does not sign in keep nobody out', async () => {
    const port = await world.open({ connections: 3 });
    const own = await signedIn(port);
    const idle = [await world.client(port, STRANGER), await world.client(port, STRANGER)];
    const next = await signedIn(port);
    expect(await idle[0]?.answer()).toMatch(/^421/);
    await world.client(port, STRANGER);
    expect(await idle[1]?.answer()).toMatch(/^421/);
    expect(await next.send(FILE)).toMatch(/^226/);
    expect(await own.send(FILE)).toMatch(/^226/);
  });

  it('of one login are four: the fifth closes the oldest', async () => {
    const port = await world.open();
    const login = await issue();
    const five: FtpClient[] = [];
    for (let n = 0; n < 5; n += 1) five.push(await world.signedIn(port, login));
    expect(await five[0]?.answer()).toMatch(/^421/);
    expect(await five[1]?.send(FILE)).toMatch(/^226/);
  });
});
