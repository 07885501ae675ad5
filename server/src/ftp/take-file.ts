// STOR and APPE: the way of a data connection into the upload of the login's fragment.
import type { Db } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import type { Deps } from '../deps.ts';
import { endFtpLogin, type FtpLogin, findFtpLogin } from '../fetching/ftp-logins.ts';
import { noteShortEnd } from '../fetching/short-ends.ts';
import type { UploadReceiver } from '../video/uploads/receive-upload.ts';
import { readData } from './data-bytes.ts';
import type { FtpLimits } from './limits.ts';
import type { PassivePort, PassivePorts } from './passive-ports.ts';
import { refusalOf } from './refusals.ts';

/** The shared parts of a port's sessions. */
export interface FtpWorld {
  readonly deps: Deps;
  readonly limits: FtpLimits;
  readonly receiver: UploadReceiver;
  readonly ports: PassivePorts;
}

interface Way {
  readonly port: PassivePort;
  /**
   * The byte at which the registrar begins; undefined: behind what is stored. Bytes that an older connection stores after
   * that are left out.
   */
  readonly fromBytes: number | undefined;
  /** It begins anew, in place of what is stored. */
  readonly isAnew: boolean;
  /** Sends an answer before the last one. */
  readonly say: (answer: string) => void;
}

interface Taken {
  readonly answer: string;
  /** The length of the file when it is whole. */
  readonly wholeBytes: number | undefined;
}

/**
 * Takes the file of a login from a data connection.
 * @throws errors of the database alone, when the end of a failed attempt cannot be stored
 */
export async function takeFile(world: FtpWorld, login: FtpLogin, way: Way): Promise<Taken> {
  try {
    return await take(world, login, way);
  } catch (error) {
    return { answer: await refusal(world, login, error), wholeBytes: undefined };
  }
}

async function take(
  { deps, limits, receiver }: FtpWorld,
  login: FtpLogin,
  { port, fromBytes, isAnew, say }: Way,
): Promise<Taken> {
  const { db } = deps.database;
  const partly = (answer: string): Taken => ({ answer, wholeBytes: undefined });
  // The login may have ended since the registrar signed in, and while its data connection was waited for.
  const checkSender = async (at: Db): Promise<void> => {
    if ((await findFtpLogin(at, login.login, deps.clock.nowMs())) !== undefined) return;
    throw new AppError('unauthorized', 'The login has ended.');
  };
  await checkSender(db);
  await receiver.checkTakes();
  const stored = await receiver.storedOf(login);
  const begin = fromBytes ?? stored;
  if (begin > stored) return partly(`554 The stored bytes end at ${stored}.`);
  say('150 Waiting for the file.');
  const socket = await port.connection;
  if (socket === undefined) return partly('425 No data connection has come.');
  const data = readData(socket, login.lengthBytes - begin, limits);
  const now = await receiver
    .receive(login, {
      ...{ fromBytes: begin, isAnew, bytes: data.bytes },
      ...{ checkSender, giveWay: port.close },
    })
    .finally(port.close);
  const isWhole =
    now === login.lengthBytes ||
    (data.isEnded() &&
      now > 0 &&
      (await noteShortEnd(db, login.login, now)) &&
      // A client that has died, and its system ended the connection, did not say that this is all.
      data.hasBytes() &&
      (await receiver.endShorter(login)));
  if (!isWhole) {
    return partly(
      data.isEnded()
        ? `451 ${now} of ${login.lengthBytes} bytes have come.`
        : `426 The data connection broke at ${now} of ${login.lengthBytes} bytes.`,
    );
  }
  await endFtpLogin(db, login.fragmentId, login.login);
  return { answer: '226 The file has come.', wholeBytes: now };
}

async function refusal({ deps }: FtpWorld, login: FtpLogin, thrown: unknown): Promise<string> {
  const { code, answer, isFault } = refusalOf(thrown);
  // The attempt has failed: the next command has another login.
  if (code === 'too_large') await endFtpLogin(deps.database.db, login.fragmentId, login.login);
  if (isFault) {
    deps.log.error({ err: thrown, fragmentId: login.fragmentId }, 'an upload by FTP failed');
  }
  return answer;
}
