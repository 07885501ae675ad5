import type { CommandWord } from '../http/acknowledge.ts';
import { MESSAGE } from '../jt808/codes.ts';
import type { Terminals } from '../jt808/terminals.ts';
import { VIDEO } from './codes.ts';
import { type Period, type RegistrarFile, readFileList } from './file-list.ts';
import { listBody } from './file-messages.ts';
import type { ServedUnit } from './served-unit.ts';
import { refusalBy } from './terminal-words.ts';

/** Longest wait for a list: a registrar searches its disk, and sends many parts, ms. */
const LIST_MS = 60_000;
/**
 * The same of a look after the terminal was silent, until it lists something or refuses, ms: it may know no lists, or lack
 * the channels that its bus has, and each of them would hold up what people ask for.
 */
const LIST_AFTER_SILENCE_MS = 15_000;

/**
 * Asks a terminal for the files of a channel.
 * @returns the word about a command that a refusal or silence is; undefined when the terminal has left
 */
export type AskForFiles = (
  served: ServedUnit,
  channel: number,
  range: Period,
) => Promise<readonly RegistrarFile[] | CommandWord | undefined>;

/** The lists of one process. */
export interface FileLists {
  /** For a user, who has asked for this channel. */
  readonly forRange: AskForFiles;
  /** For nobody in particular. */
  readonly forLook: AskForFiles;
  /** A terminal has sent a list that nobody waits for any more. */
  late(unitId: number): void;
}

/** Makes them. */
export function createFileLists(terminals: Pick<Terminals, 'ask'>): FileLists {
  /** The units whose terminals have not answered the last time. */
  const silent = new Set<number>();
  const askFor =
    (waitOf: (unitId: number) => number): AskForFiles =>
    async ({ unit, settings }, channel, range) => {
      const { unitId } = unit;
      const clockHours = settings.clock_hours;
      const answer = await terminals.ask(unitId, {
        ...{ id: VIDEO.list, answerId: MESSAGE.fileList, waitMs: waitOf(unitId) },
        body: listBody({ channel, clockHours, ...range }),
      });
      if (answer?.kind === 'silence') silent.add(unitId);
      else silent.delete(unitId);
      if (answer?.kind !== 'message') return refusalBy(VIDEO.list, answer);
      return readFileList(answer.body, channel, clockHours);
    };
  return {
    forRange: askFor(() => LIST_MS),
    forLook: askFor((unitId) => (silent.has(unitId) ? LIST_AFTER_SILENCE_MS : LIST_MS)),
    late: (unitId) => void silent.delete(unitId),
  };
}

/** Whether a terminal has sent its files. */
export const isList = (
  answer: readonly RegistrarFile[] | CommandWord | undefined,
): answer is readonly RegistrarFile[] => Array.isArray(answer);
