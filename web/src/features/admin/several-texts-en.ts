import { enForm } from '../../i18n/plural.ts';
import type { ru } from './several-texts-ru.ts';

/** English texts of changes of several rows. */
export const en: typeof ru = {
  title: 'Actions for the chosen rows',
  chosen: (count) => `${count} chosen`,
  most: (most) =>
    `No more than ${most} rows can be changed at once; to change more, go in parts: filter the list and choose again`,
  clear: 'Choose none',
  done: (changed, of) =>
    changed === of
      ? `${changed} ${enForm(changed, 'row', 'rows')} changed`
      : `${changed} of ${of} rows changed. The others had these values already`,
  refused: (name) => `Nothing was changed: ${name} does not fit`,
  would: (count, of) => {
    const change = enForm(count, 'changes', 'change');
    if (of === 1) return `The chosen row ${change}`;
    if (count === of) return `All ${of} chosen rows ${change}`;
    const others = of - count === 1 ? 'the other one is' : 'the others are';
    return `${count} of ${of} rows ${change}, ${others} like that already`;
  },
  nothing: 'Nothing changes: all chosen rows are like that already.',
  andMore: (count) => `and ${count} more`,
  next: 'Next',
  change: (count, text) => `Change ${text} ${enForm(count, 'row', 'rows')}`,
  route: 'Route from a day on',
  noRoute: 'Empty: the buses will have no route',
  becomes: (name, was, is, day) =>
    `${name}: ${was} → ${is}${day === undefined ? '' : `, from ${day}`}`,
  withoutRoute: 'no route',
  routeNote: 'Past days do not change.',
  customer: 'Give to a customer',
  customerHint: (count) =>
    `The chosen buses (${count}) go to this customer; earlier ones keep their past days.`,
  customerNote: 'Today and past days stay with the present customers.',
  retire: 'Take out of the fleet',
  retireNote:
    'The buses leave the lists. Records, video, laps and money stay, and each can be returned.',
  giveBack: 'Return to the fleet',
  retention: 'Retention',
  retentionHint: (count) => `Customers: ${count}. An empty field leaves everything as it is.`,
  retentionNote: 'Data older than that is deleted in the next night.',
  byDefault: (days) => `${days} by default`,
  enable: {
    users: { on: 'Enable', off: 'Disable' },
    cameras: { on: 'Use the cameras', off: 'Do not use' },
    units: { on: 'Enable the units', off: 'Disable the units' },
    customers: { on: 'Enable', off: 'Disable' },
  },
};
