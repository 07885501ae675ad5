// A registrar uploads by FTP what a command asked it for.
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { FTP_LOGIN_MS, type IssuedFtpLogin } from '../fetching/ftp-logins.ts';
import { settleShorter } from '../fetching/short-ends.ts';
import { failTry } from '../fetching/tries.ts';
import { makeClip } from '../test/clip.ts';
import { createFtpWorld, type FtpClient } from '../test/ftp.ts';
import { useWorld } from '../test/use-world.ts';
import { type Announced, sha256Of, stateOf, storedSource, verify } from '../test/video.ts';
import { sweepOpenUploadsJob } from '../video/sweep-job.ts';

const job = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };

const world = useWorld(createFtpWorld);
let clip: Buffer;
let port: number;
beforeAll(() => {
  clip = makeClip();
});
beforeEach(async () => {
  port = await world.open({ endMs: 50 });
});
afterEach(() => world.endTest());

const restart = async (): Promise<void> => {
  await world.stopPorts();
  port = await world.open({ endMs: 50 });
};
const third = () => Math.floor(clip.length / 3);
const issue = (announced: Announced, sizeBytes = clip.length) => world.issue(announced, sizeBytes);
const signedIn = (login: IssuedFtpLogin) => world.signedIn(port, login);
const uploadOf = async (announced: Announced) => {
  const [upload] = await world.uploadsOf(announced);
  if (upload === undefined) throw new Error('no upload has begun');
  return upload;
};
/** The upload is finished, with these bytes. */
const expectWhole = async (announced: Announced, bytes = clip): Promise<void> => {
  const { id, finished_at } = await uploadOf(announced);
  expect(finished_at).not.toBeNull();
  expect(sha256Of(await buffer(await world.server.deps.storage.get(id)))).toBe(sha256Of(bytes));
};
/** The worker's check of the upload, and what it has stored. */
const expectLoaded = async (announced: Announced, bytes = clip): Promise<void> => {
  const { id, finished_at } = await uploadOf(announced);
  expect(finished_at).not.toBeNull();
  await verify(world.server, id);
  expect(await stateOf(world.server, announced)).toMatchObject({
    status: 'LOADED',
    fail_reason: null,
  });
  expect(sha256Of(await storedSource(world.server, announced))).toBe(sha256Of(bytes));
};
/** Begins an upload, and waits until it is known. @returns the data connection */
const begin = async (one: FtpClient, announced: Announced, bytes: Buffer) => {
  const data = await one.openData();
  expect(await one.ask('STOR video.mp4')).toMatch(/^150/);
  data.write(bytes);
  await vi.waitFor(() => uploadOf(announced));
  return data;
};
/** Sends the first bytes of the clip and breaks both connections when they are stored. */
const sendAndCut = async (login: IssuedFtpLogin, announced: Announced, bytes: Buffer) => {
  const one = await signedIn(login);
  const data = await begin(one, announced, bytes);
  // The link takes what it has, then it is gone.
  await new Promise<void>((resolve) => data.end(() => resolve()));
  one.cut();
  await vi.waitFor(async () =>
    expect((await uploadOf(announced)).received_bytes).toBe(bytes.length),
  );
};

/** Begins an upload with a third of the clip, and waits until that is stored. */
const storeThird = async (one: FtpClient, announced: Announced) => {
  const data = await begin(one, announced, clip.subarray(0, third()));
  const { id } = await uploadOf(announced);
  await vi.waitFor(async () =>
    expect((await world.server.deps.storage.stat(id))?.sizeBytes).toBe(third()),
  );
  return data;
};

describe('an upload by FTP', () => {
  it('brings a fragment to LOADED with the very bytes that the registrar sent', async () => {
    const announced = await world.announceNext();
    const one = await signedIn(await issue(announced));
    for (const [said, answer] of [
      ['SYST', '215'],
      ['TYPE I', '200'],
      ['PWD', '257 "/"'],
      ['MKD /2026-11-20', '257 "/2026-11-20" '],
      ['MKD a"b', '257 "a""b" '],
      ['CWD /2026-11-20', '250'],
      ['SIZE video.tmp', '550'],
      ['ALLO 1000', '202'],
    ] as const) {
      expect(await one.ask(said)).toContain(answer);
    }
    expect(await one.send(clip, 'STOR video.tmp')).toMatch(/^226/);
    expect(await one.ask('RNFR video.tmp')).toMatch(/^350/);
    expect(await one.ask('RNTO video.mp4')).toMatch(/^250/);
    expect(await one.ask('SIZE video.mp4')).toBe(`213 ${clip.length}`);
    expect(await one.ask('QUIT')).toMatch(/^221/);
    expect(await stateOf(world.server, announced)).toMatchObject({ status: 'LOADING' });
    await expectLoaded(announced);
  });

  it('of many pieces is stored byte by byte', async () => {
    const long = randomBytes(12_000_000);
    const announced = await world.announceNext();
    const one = await signedIn(await issue(announced, long.length));
    expect(await one.send(long)).toMatch(/^226/);
    await expectWhole(announced, long);
  });

  it('goes over the port that EPSV says, too', async () => {
    const announced = await world.announceNext();
    const one = await signedIn(await issue(announced));
    const port = Number(/\(\|\|\|(\d+)\|\)/.exec(await one.ask('EPSV'))?.[1]);
    expect(port).toBeGreaterThanOrEqual(20_100);
    expect(port).toBeLessThanOrEqual(20_199);
    expect(await one.send(clip)).toMatch(/^226/);
    await expectWhole(announced);
  });

  it.each([
    ['REST', async (one: FtpClient, from: number) => one.ask(`REST ${from}`), 'STOR'],
    ['APPE', async () => '350', 'APPE'],
  ])('that is cut goes on by %s where it stopped', async (_name, prepare, command) => {
    const announced = await world.announceNext();
    const login = await issue(announced);
    await sendAndCut(login, announced, clip.subarray(0, third()));
    const again = await signedIn(login);
    expect(await again.ask('SIZE video.mp4')).toBe(`213 ${third()}`);
    expect(await prepare(again, third())).toMatch(/^350/);
    expect(await again.send(clip.subarray(third()), `${command} video.mp4`)).toMatch(/^226/);
    await expectLoaded(announced);
  });

  it('whose link is reset goes on behind every byte that had come', async () => {
    const announced = await world.announceNext();
    const login = await issue(announced);
    const one = await signedIn(login);
    const data = await storeThird(one, announced);
    data.resetAndDestroy();
    expect(await one.answer()).toMatch(/^426/);
    expect(await one.ask('SIZE video.mp4')).toBe(`213 ${third()}`);
    expect(await one.send(clip.subarray(third()), 'APPE video.mp4')).toMatch(/^226/);
    await expectWhole(announced);
  });

  it('goes on after the server was started again', async () => {
    const announced = await world.announceNext();
    const login = await issue(announced);
    await sendAndCut(login, announced, clip.subarray(0, third()));
    await restart();
    const again = await signedIn(login);
    expect(await again.send(clip.subarray(third()), 'APPE video.mp4')).toMatch(/^226/);
    await expectLoaded(announced);
  });

  it('keeps what has come when the server stops in the middle', async () => {
    const announced = await world.announceNext();
    const login = await issue(announced);
    const one = await signedIn(login);
    await storeThird(one, announced);
    await restart();
    const again = await signedIn(login);
    const stored = Number((await again.ask('SIZE video.mp4')).split(' ')[1]);
    expect(stored).toBe(third());
    await again.ask(`REST ${stored}`);
    expect(await again.send(clip.subarray(stored))).toMatch(/^226/);
    await expectWhole(announced);
  });

  it('that begins before what is stored leaves out what has come already', async () => {
    const announced = await world.announceNext();
    const login = await issue(announced);
    await sendAndCut(login, announced, clip.subarray(0, third()));
    const again = await signedIn(login);
    await again.ask('REST 100');
    expect(await again.send(clip.subarray(100))).toMatch(/^226/);
    await expectWhole(announced);
  });

  it('that begins behind what is stored is told where that ends', async () => {
    const announced = await world.announceNext();
    const login = await issue(announced);
    await sendAndCut(login, announced, clip.subarray(0, 100));
    const again = await signedIn(login);
    await again.ask('REST 101');
    expect(await again.send(clip.subarray(101))).toBe('554 The stored bytes end at 100.');
  });

  it('without REST begins anew, in place of what has come', async () => {
    const announced = await world.announceNext();
    const login = await issue(announced);
    await sendAndCut(login, announced, Buffer.alloc(third(), 'x'));
    expect(await (await signedIn(login)).send(clip)).toMatch(/^226/);
    await expectWhole(announced);
  });

  it('that is aborted can go on over the same connection', async () => {
    const announced = await world.announceNext();
    const one = await signedIn(await issue(announced));
    await begin(one, announced, clip.subarray(0, third()));
    one.socket.write(Buffer.from([255, 244, 255, 242]));
    expect(await one.ask('ABOR')).toMatch(/^426/);
    expect(await one.answer()).toMatch(/^226/);
    const said = await one.ask('SIZE video.mp4');
    const stored = said.startsWith('213') ? Number(said.slice(4)) : 0;
    await one.ask(`REST ${stored}`);
    expect(await one.send(clip.subarray(stored))).toMatch(/^226/);
    await expectWhole(announced);
  });

  it('goes on when the control connection alone is lost', async () => {
    const announced = await world.announceNext();
    const one = await signedIn(await issue(announced));
    const data = await begin(one, announced, clip.subarray(0, third()));
    one.cut();
    data.end(clip.subarray(third()));
    await vi.waitFor(async () => expect((await uploadOf(announced)).finished_at).not.toBeNull());
    await expectWhole(announced);
  });

  it('is finished although the registrar waits for the answer before it ends the data', async () => {
    const announced = await world.announceNext();
    const one = await signedIn(await issue(announced));
    const data = await one.openData();
    await one.ask('STOR video.mp4');
    data.write(clip);
    expect(await one.answer()).toMatch(/^226/);
    await expectWhole(announced);
  });
});

describe('a file that is shorter than the list of the registrar says', () => {
  it('stays incomplete, and is taken as it is when it ends there again', async () => {
    const announced = await world.announceNext();
    const login = await issue(announced, clip.length + 10);
    const one = await signedIn(login);
    expect(await one.send(clip)).toBe(`451 ${clip.length} of ${clip.length + 10} bytes have come.`);
    expect((await uploadOf(announced)).finished_at).toBeNull();
    await one.ask(`REST ${clip.length - 1}`);
    expect(await one.send(clip.subarray(-1))).toMatch(/^226/);
    await expectWhole(announced);
  });

  it('is not taken as it is when its registrar comes back twice and sends nothing', async () => {
    const announced = await world.announceNext();
    const login = await issue(announced);
    expect(await (await signedIn(login)).send(clip.subarray(0, third()))).toMatch(/^451/);
    for (let tried = 0; tried < 2; tried += 1) {
      const back = await signedIn(login);
      expect(await back.ask('SIZE video.mp4')).toBe(`213 ${third()}`);
      expect(await back.send(Buffer.alloc(0), 'APPE video.mp4')).toMatch(/^451/);
    }
    expect((await uploadOf(announced)).finished_at).toBeNull();
    const last = await signedIn(login);
    expect(await last.send(clip.subarray(third()), 'APPE video.mp4')).toMatch(/^226/);
    await expectWhole(announced);
  });

  it('is taken by another login, too, when it ends there again', async () => {
    const announced = await world.announceNext();
    const first = await signedIn(await issue(announced, clip.length + 10));
    expect(await first.send(clip)).toMatch(/^451/);
    const second = await signedIn(await issue(announced, clip.length + 10));
    expect(await second.send(clip)).toMatch(/^226/);
    await expectLoaded(announced);
  });

  it('is not taken when it ends elsewhere, or when its connection breaks', async () => {
    const announced = await world.announceNext();
    const login = await issue(announced);
    const one = await signedIn(login);
    expect(await one.send(clip.subarray(0, 100))).toMatch(/^451/);
    expect(await one.send(clip.subarray(0, 99))).toMatch(/^451/);
    expect((await uploadOf(announced)).finished_at).toBeNull();
    expect(await one.send(clip)).toMatch(/^226/);
  });

  it('is taken at once when the result of its command says that all was sent', async () => {
    const settle = () =>
      world.server.deps.database.db
        .transaction()
        .execute((tx) => settleShorter(tx, announced.fragmentId));
    const announced = await world.announceNext();
    const login = await issue(announced, clip.length + 10);
    await sendAndCut(login, announced, clip.subarray(0, 100)).catch(() => undefined);
    const one = await signedIn(login);
    await one.ask('REST 100');
    expect(await one.send(clip.subarray(100))).toMatch(/^451/);
    // It looks whether something is missing, and has nothing more.
    expect(await one.send(Buffer.alloc(0), 'APPE video.mp4')).toMatch(/^451/);
    expect([await settle(), await settle()]).toEqual([true, false]);
    world.server.clock.advance(60_000);
    await sweepOpenUploadsJob(world.server.deps).run({}, job);
    await expectWhole(announced);
    expect(await (await world.client(port)).signIn(login)).toMatch(/^530/);
  });
});

describe('a file of which the last attempt fails', () => {
  const fail = async (announced: Announced): Promise<void> => {
    const { database, clock } = world.server.deps;
    const { fragmentId } = announced;
    await database.db
      .updateTable('segments')
      .set({ failed_tries: 4 })
      .where('id', '=', fragmentId)
      .execute();
    const failed = { reason: 'unit_failed', atMs: clock.nowMs(), keepsBytes: true } as const;
    await database.db.transaction().execute((tx) => failTry(tx, fragmentId, failed));
    world.server.clock.advance(60_000);
    await sweepOpenUploadsJob(world.server.deps).run({}, job);
  };
  /** Its registrar resumes behind all of its bytes, which are fewer than its list says. */
  const resume = async (login: IssuedFtpLogin): Promise<void> => {
    expect(await (await signedIn(login)).send(Buffer.alloc(0), 'APPE video.mp4')).toMatch(/^451/);
  };

  it('is taken as it is when it has ended at the same byte in two commands', async () => {
    const announced = await world.announceNext();
    expect(await (await signedIn(await issue(announced, 2 ** 32))).send(clip)).toMatch(/^451/);
    await resume(await issue(announced, 2 ** 32));
    await fail(announced);
    await expectLoaded(announced);
  });

  it('is discarded when it has ended so in one command alone', async () => {
    const announced = await world.announceNext();
    const login = await issue(announced, 2 ** 32);
    expect(await (await signedIn(login)).send(clip)).toMatch(/^451/);
    await resume(login);
    await fail(announced);
    expect(await world.uploadsOf(announced)).toEqual([]);
    expect(await stateOf(world.server, announced)).toMatchObject({ status: 'DOWNLOAD_FAIL' });
  });
});

describe('the login', () => {
  it('lives on while bytes come, and ends two hours after the last', async () => {
    const announced = await world.announceNext();
    const login = await issue(announced);
    world.server.clock.advance(FTP_LOGIN_MS - 1000);
    await sendAndCut(login, announced, clip.subarray(0, 100));
    world.server.clock.advance(FTP_LOGIN_MS - 1000);
    expect(await (await world.client(port)).signIn(login)).toMatch(/^230/);
    world.server.clock.advance(2000);
    expect(await (await world.client(port)).signIn(login)).toMatch(/^530/);
    world.server.clock.advance(FTP_LOGIN_MS);
    const { login: next } = await issue(await world.announceNext());
    const known = await world.server.deps.database.db
      .selectFrom('ftp_logins')
      .select('login')
      .execute();
    expect(known.map((row) => row.login)).toContain(next);
    expect(known.map((row) => row.login)).not.toContain(login.login);
  });
});
