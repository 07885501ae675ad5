import type { CommandWord } from '../http/acknowledge.ts';
import type { Terminals } from '../jt808/terminals.ts';
import { FILE_LIST, VIDEO } from './codes.ts';
import { type Period, type RegistrarFile, readFileList } from './file-list.ts';
import { listBody } from './file-messages.ts';
import type { ServedUnit } from './served-unit.ts';
import { refusalBy } from './terminal-words.ts';

/** Longest wait for a list: a registrar searches its disk, and sends many parts, ms. */
const LIST_MS = 60_000;

/**
 * Asks a terminal for the files of a channel.
 * @returns the word about a command that a refusal or silence is; undefined when the terminal has left
 */
export async function askForFiles(
  terminals: Pick<Terminals, 'ask'>,
  { unit, settings }: ServedUnit,
  channel: number,
  range: Period,
): Promise<readonly RegistrarFile[] | CommandWord | undefined> {
  const clockHours = settings.clock_hours;
  const answer = await terminals.ask(unit.unitId, {
    ...{ id: VIDEO.list, answerId: FILE_LIST, waitMs: LIST_MS },
    body: listBody({ channel, clockHours, ...range }),
  });
  if (answer?.kind !== 'message') return refusalBy(VIDEO.list, answer);
  return readFileList(answer.body, channel, clockHours);
}

/** Whether a terminal has sent its files. */
export const isList = (
  answer: readonly RegistrarFile[] | CommandWord | undefined,
): answer is readonly RegistrarFile[] => Array.isArray(answer);
