import { MAX_UPLOAD_BYTES } from '@ridewatch/contract/unit';
import type { Tx } from '../../core/db/db.ts';
import type { Deps } from '../../deps.ts';
import { type IssuedFtpLogin, issueFtpLogin } from '../../fetching/ftp-logins.ts';
import type { TerminalAnswer } from '../jt808/requests.ts';
import type { Terminals } from '../jt808/terminals.ts';
import { LINKS, VIDEO } from './codes.ts';
import type { FileKind, Period } from './file-list.ts';
import { ANY_KIND, uploadBody } from './file-messages.ts';
import { findListedFile } from './listed-files.ts';
import type { ServedUnit } from './served-unit.ts';

/** Whether the server takes recordings of such registrars. */
export const takesUploads = ({ config, videoOff }: Pick<Deps, 'config' | 'videoOff'>): boolean =>
  config.ftpPort !== 0 && videoOff === undefined;

/** A file that a command asks for. */
interface WantedFile {
  readonly served: ServedUnit;
  readonly commandId: number;
  readonly fragmentId: number;
  readonly channel: number;
  /** Longest wait for the terminal's answer, ms. */
  readonly waitMs: number;
  readonly onSerial: (serial: number) => void;
}

/** The terminal's answer, undefined when it has left, and the login that it got. */
interface AskedUpload {
  readonly login: string;
  readonly answer: TerminalAnswer | undefined;
}

/**
 * Asks a terminal to upload a file, with a login of that file alone.
 * @returns undefined when the command has ended meanwhile: then nothing is asked
 */
export async function askForUpload(
  { config, database, clock }: Pick<Deps, 'config' | 'database' | 'clock'>,
  terminals: Pick<Terminals, 'ask'>,
  { served, commandId, fragmentId, channel, waitMs, onSerial }: WantedFile,
): Promise<AskedUpload | undefined> {
  const { unitId } = served.unit;
  const nowMs = clock.nowMs();
  const issued = await database.db
    .transaction()
    .execute((tx) => issueIfOpen(tx, { unitId, commandId, fragmentId, nowMs }));
  if (issued === undefined) return undefined;
  const { login, password, path, kind, file } = issued;
  const { clock_hours: clockHours, uploads } = served.settings;
  const answer = await terminals.ask(unitId, {
    ...{ id: VIDEO.upload, waitMs, onSerial },
    body: (address) =>
      uploadBody({
        ...{ host: config.unitPublicHost ?? address, port: config.ftpPort, login, password, path },
        ...{
          channel,
          ...file,
          clockHours,
          kind,
          links: LINKS[uploads === 'wifi' ? 'wifi' : 'all'],
        },
      }),
  });
  return { login, answer };
}

interface Issue {
  readonly unitId: number;
  readonly commandId: number;
  readonly fragmentId: number;
  readonly nowMs: number;
}

async function issueIfOpen(
  tx: Tx,
  { commandId, ...issue }: Issue,
): Promise<(IssuedFtpLogin & { readonly kind: FileKind; readonly file: Period }) | undefined> {
  // The fragment before its command, as everybody locks who asks for video. Its end stays from now on.
  const fragment = await tx
    .selectFrom('segments')
    .select(['fail_reason', 'sent_start', 'sent_end'])
    .where('id', '=', issue.fragmentId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const command = await tx
    .selectFrom('unit_commands')
    .select('finished_at')
    .where('id', '=', commandId)
    .forUpdate()
    .executeTakeFirst();
  if (command?.finished_at !== null) return undefined;
  const listed = await findListedFile(tx, issue.fragmentId);
  // A registrar that packs a file anew for its upload may send more than it has listed.
  const isKnown = listed !== undefined && fragment.fail_reason !== 'upload_too_long';
  const sizeBytes = isKnown && listed.sizeBytes > 0 ? listed.sizeBytes : MAX_UPLOAD_BYTES;
  const login = await issueFtpLogin(tx, { ...issue, sizeBytes });
  const file = { startMs: fragment.sent_start.getTime(), endMs: fragment.sent_end.getTime() };
  return { ...login, kind: listed ?? ANY_KIND, file };
}
