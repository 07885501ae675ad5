import { enForm } from '../../i18n/plural.ts';
import type { ru } from './several-texts-ru.ts';

/** English texts of changes of several rows. */
export const en: typeof ru = {
  title: 'Actions for the chosen rows',
  chosen: (count) => `${count} chosen`,
  most: (most) => `No more than ${most} rows can be changed at once`,
  clear: 'Choose none',
  done: (changed, of) =>
    changed === of
      ? `${changed} ${enForm(changed, 'row', 'rows')} changed`
      : `${changed} of ${of} rows changed. The others had these values already`,
  refused: (name) => `Nothing was changed: ${name} does not fit`,
  route: 'Route from a day on',
  noRoute: 'Empty: the buses will have no route',
  move: (count, text) => `Change ${text} ${enForm(count, 'bus', 'buses')}`,
  retire: 'Take out of the fleet',
  retireText: (count, text) =>
    `${text} ${enForm(count, 'bus leaves', 'buses leave')} the lists. Records, video, laps and money stay, and each can be returned.`,
  giveBack: 'Return to the fleet',
  enable: {
    users: { on: 'Enable', off: 'Disable' },
    cameras: { on: 'Use the cameras', off: 'Do not use' },
  },
};
