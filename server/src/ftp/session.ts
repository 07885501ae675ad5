// One control connection. Its commands are answered one after another; ABOR alone overtakes a running upload. An upload
// goes on when the control connection is lost: its bytes count.
import type { Socket } from 'node:net';
import { type FtpLogin, findFtpLogin, isFtpPassword } from '../fetching/ftp-logins.ts';
import { plainAddress } from '../ingest/by-id/addresses.ts';
import type { Place } from '../ingest/by-id/places.ts';
import { answerOf, openCommands } from './commands.ts';
import { type ControlLine, createLineReader } from './control-lines.ts';
import type { PassivePort } from './passive-ports.ts';
import { publicAddress } from './public-address.ts';
import { refusalOf } from './refusals.ts';
import { type FtpWorld, takeFile } from './take-file.ts';

/** Wrong passwords after which a connection is closed. */
const MOST_WRONG = 3;
/** Commands that may wait for an answer. */
const MOST_WAITING = 32;

/** Answers that the other side has not read; a connection with more is closed. */
const MOST_UNREAD_BYTES = 16_384;

/** A control connection that is served. */
export interface FtpSession {
  /** After the connection and its upload have ended. */
  readonly ended: Promise<void>;
  /** Ends its upload, and closes it: another connection has its place. */
  giveWay(): void;
  /** Ends its upload, stores what has come, and closes it. */
  stop(): Promise<void>;
}

/** An answer; the connection is closed after the last one. */
type Answer = string | { readonly answer: string; readonly isLast: true };

const last = (answer: string): Answer => ({ answer, isLast: true });

/**
 * Serves a connection until it is closed: by the registrar, by a limit of `world.limits` (ms), or by `stop`. Errors of
 * commands are answered and thrown to nobody.
 * @param place its own, which it keeps while it is signed in
 */
export function openFtpSession(
  socket: Socket,
  world: FtpWorld,
  place: Pick<Place, 'keep' | 'unkeep'>,
): FtpSession {
  const { deps, limits } = world;
  const from = plainAddress(socket.remoteAddress);
  const reader = createLineReader();
  const waiting: ControlLine[] = [];
  let user = '';
  let wrong = 0;
  let login: FtpLogin | undefined;
  /** The length of the file once it is whole: the registrar may still rename it or ask for its size. */
  let wholeBytes: number | undefined;
  let restAt = 0;
  /** The length that SIZE has said, bytes: the registrar goes on there by APPE. */
  let saidBytes: number | undefined;
  let passive: PassivePort | undefined;
  let stopUpload: (() => void) | undefined;
  let running: Promise<void> | undefined;
  let loginTimer: NodeJS.Timeout | undefined;
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();

  const say = (answer: string): void => {
    if (socket.writableLength > MOST_UNREAD_BYTES) socket.destroy();
    if (socket.writable) socket.write(`${answer}\r\n`, 'latin1');
  };
  const end = (answer: string): void => {
    waiting.length = 0;
    if (socket.writable) socket.end(`${answer}\r\n`, 'latin1', () => socket.destroy());
    else socket.destroy();
  };

  // A connection that only repeats commands does not sign in either.
  const awaitLogin = (): void => {
    loginTimer = setTimeout(() => end('421 Nobody has signed in.'), limits.loginMs);
  };

  const leaveLogin = (): void => {
    passive?.close();
    passive = undefined;
    place.unkeep();
    awaitLogin();
  };

  async function signIn(password: string): Promise<Answer> {
    const found = await findFtpLogin(deps.database.db, user, deps.clock.nowMs());
    if (isFtpPassword(found, password) && found !== undefined) {
      login = found;
      clearTimeout(loginTimer);
      place.keep(found.login);
      return '230 Signed in.';
    }
    wrong += 1;
    return wrong < MOST_WRONG
      ? '530 Wrong login or password.'
      : last('421 Wrong login or password.');
  }

  async function openPassive(
    signed: FtpLogin,
    show: (port: number) => string | undefined,
  ): Promise<string> {
    passive?.close();
    passive = await world.ports.open(from, signed.login);
    const answer = passive && show(passive.port);
    if (answer === undefined || socket.destroyed) passive?.close();
    return answer ?? '425 No data connection can be opened.';
  }

  async function pasv(signed: FtpLogin): Promise<string> {
    const address = await publicAddress(deps.config.unitPublicHost, socket.localAddress);
    return openPassive(signed, (port) => {
      const parts = [...(address?.split('.') ?? []), Math.floor(port / 256), port % 256];
      return address && `227 Entering Passive Mode (${parts.join(',')}).`;
    });
  }

  async function sizeOf(signed: FtpLogin): Promise<string> {
    const bytes = wholeBytes ?? (await world.receiver.storedOf(signed));
    saidBytes = bytes;
    return bytes === 0 ? '550 There is no such file.' : `213 ${bytes}`;
  }

  async function upload(signed: FtpLogin, isAtEnd: boolean): Promise<string> {
    const port = passive;
    const way = {
      fromBytes: isAtEnd ? saidBytes : restAt,
      isAnew: !isAtEnd && restAt === 0,
    };
    [passive, restAt, saidBytes] = [undefined, 0, undefined];
    if (port === undefined) return '425 Use PASV or EPSV first.';
    stopUpload = port.close;
    try {
      if (wholeBytes !== undefined) return '550 The file has come.';
      const taken = await takeFile(world, signed, { ...way, port, say });
      wholeBytes = taken.wholeBytes;
      return taken.answer;
    } finally {
      stopUpload = undefined;
      port.close();
    }
  }

  async function answerTo({ verb, argument }: ControlLine): Promise<Answer> {
    if (verb === 'QUIT') return last('221 Goodbye.');
    if (verb === 'USER') {
      user = argument.trim();
      if (login !== undefined) leaveLogin();
      [login, wholeBytes, saidBytes, restAt] = [undefined, undefined, undefined, 0];
      return '331 The password?';
    }
    if (verb === 'PASS') return login === undefined ? signIn(argument) : '202 Signed in already.';
    if (login === undefined && !openCommands.has(verb)) return '530 Sign in first.';
    if (login === undefined) return answerOf(verb, argument);
    if (verb === 'PASV') return pasv(login);
    if (verb === 'EPSV') {
      return /^all$/i.test(argument)
        ? '200 Done.'
        : openPassive(login, (port) => `229 Entering Extended Passive Mode (|||${port}|).`);
    }
    if (verb === 'REST') {
      if (!/^\d{1,15}$/.test(argument)) return '501 A number of bytes.';
      restAt = Number(argument);
      return `350 From ${restAt}.`;
    }
    if (verb === 'SIZE') return sizeOf(login);
    if (verb === 'STOR' || verb === 'APPE') return upload(login, verb === 'APPE');
    if (verb === 'ABOR') return '226 Nothing is running.';
    return answerOf(verb, argument);
  }

  async function answerAll(): Promise<void> {
    for (let line = waiting.shift(); line !== undefined; line = waiting.shift()) {
      const said = await answerTo(line).catch((error: unknown) => {
        const { answer, isFault } = refusalOf(error);
        if (isFault) deps.log.error({ err: error, verb: line.verb }, 'an FTP command failed');
        return answer;
      });
      if (typeof said === 'string') say(said);
      else return end(said.answer);
    }
  }

  function run(): void {
    running ??= answerAll().finally(() => {
      running = undefined;
      if (waiting.length > 0) run();
    });
  }

  awaitLogin();
  socket.setTimeout(limits.idleMs, () => {
    if (stopUpload === undefined) end('421 Nothing has come.');
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearTimeout(loginTimer);
    waiting.length = 0;
    passive?.close();
    close();
  });
  socket.on('data', (bytes) => {
    for (const line of reader.push(bytes)) {
      if (line === 'too long') return end('500 The line is too long.');
      if (waiting.length >= MOST_WAITING) return end('421 Too many commands.');
      if (line.verb === 'ABOR') stopUpload?.();
      waiting.push(line);
    }
    run();
  });
  say('220 Ready.');
  return {
    ended: closed.then(async () => {
      while (running !== undefined) await running;
    }),
    stop: async () => {
      waiting.length = 0;
      stopUpload?.();
      while (running !== undefined) await running;
      end('421 The server stops.');
      await closed;
    },
    giveWay: () => {
      stopUpload?.();
      end('421 Another connection has come.');
    },
  };
}
