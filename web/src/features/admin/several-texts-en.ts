import { enForm } from '../../i18n/plural.ts';
import type { SeveralTexts } from './several-texts-ru.ts';

/** English texts of changes of several rows. */
export const en: SeveralTexts = {
  title: 'Actions for the chosen rows',
  chosen: (count) => `${count} chosen`,
  most: (most, total) =>
    `${total} rows match, and no more than ${most} can be changed at once. Change the others in parts by a filter, or by “Load a table”`,
  clear: 'Choose none',
  done: (changed, of) =>
    changed === of
      ? `${changed} ${enForm(changed, 'row', 'rows')} changed`
      : `${changed} of ${of} rows changed. The others had these values already`,
  refused: (count, of) =>
    of === 1
      ? 'This row cannot be changed like that.'
      : `${count} of ${of} rows cannot be changed like that, so none changes.`,
  leaveOut: (count) => (count === 1 ? 'Leave it as it is' : 'Leave them as they are'),
  again: 'The data have changed meanwhile. Nothing was saved, look again.',
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
  routesOfSome: (count, of) =>
    `Routes of ${count} of ${of} customers are offered: of those with the most chosen buses.`,
  becomes: (name, was, is, day) =>
    `${name}: ${was} → ${is}${day === undefined ? '' : `, from ${day}`}`,
  withoutRoute: 'no route',
  routeToCome: (day) => `Nothing changes before ${day}.`,
  routeOfToday:
    'Today goes to the new route, and its laps are worked out anew. Past days do not change.',
  routeOfPast: (day) => [
    `Past days change, too, from ${day} on: in sums by route they go to the new one. Their laps and revenue stay as they are until somebody recalculates these days; the laps of today are worked out anew.`,
    'Where other settings of a bus begin later, those hold from then on.',
  ],
  customer: 'Give to a customer',
  customerHint: (count) =>
    `The chosen buses (${count}) go to this customer from tomorrow on; today and past days stay with the former ones.`,
  allDays: (line) => `${line}, all days`,
  ofThem: (count, of) => (count === of ? '' : ` (buses: ${count} of ${of})`),
  daysStay:
    'The days before that stay with the former customers, with video and money. The new customer sees the buses at once; they leave the lists of the former ones.',
  allDaysPass: (of) => `There were no data yet: all days go to the new customer${of}.`,
  routeEnds: (of, isDated) =>
    `The route of the former customer ${isDated ? 'ends before that day' : 'ends'}: set a new one${of}.`,
  fareEnds: (of) =>
    `From that day on the fare and the driver's percent are zero until somebody enters them${of}.`,
  retire: 'Take out of the fleet',
  retireNote:
    'The buses leave the lists. Records, video, laps and money stay, and each can be returned.',
  giveBack: 'Return to the fleet',
  giveBackNote: 'The buses are in the lists again, with all that was stored.',
  retention: 'Retention',
  retentionHint: (count) => `Customers: ${count}. An empty field leaves everything as it is.`,
  retentionNote: 'Data older than that is deleted in the next night.',
  byDefault: (days) => `${days} by default`,
  enable: {
    users: { on: 'Enable', off: 'Disable' },
    cameras: { on: 'Use the cameras', off: 'Do not use' },
    units: { on: 'Enable the units', off: 'Disable the units' },
    customers: { on: 'Enable', off: 'Disable' },
    unknown_units: { on: 'Treat as new again', off: 'They are not ours' },
  },
  enabling: {
    users: {
      on: 'They can sign in again.',
      off: 'Their sessions end at once, and they cannot sign in until they are enabled.',
    },
    cameras: {
      on: 'Their video can be fetched and watched live again.',
      off: 'Nobody can fetch video from them or watch them live until they are used again. Stored video stays, and the units go on counting people.',
    },
    units: {
      on: 'The server takes again what the units send.',
      off: 'The server takes nothing that the units send until they are enabled.',
    },
    customers: {
      on: 'Users of these customers can sign in again.',
      off: 'Users of these customers lose access at once, and cannot sign in until the customers are enabled.',
    },
    unknown_units: {
      on: 'They are new again, and need attention.',
      off: 'They are new no longer, and need no attention. Still nothing is stored of what they send.',
    },
  },
};
