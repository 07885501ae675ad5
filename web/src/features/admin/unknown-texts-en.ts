import type { UnknownTexts } from './unknown-texts-ru.ts';

/** English texts of ids that no unit has. */
export const en: UnknownTexts = {
  id: 'Number',
  address: 'From',
  first: 'First heard',
  last: 'Last heard',
  records: 'Records',
  place: 'Last position',
  people: 'Last count',
  counted: (entered, exited) => `${entered} in, ${exited} out`,
  atDoor: (door) => `door ${door}`,
  noPlace: 'it sent none',
  states: { new: 'new', ignored: 'not ours' },
  none: 'There are no unknown units. A unit whose number is not in the system appears here as soon as it sends.',
  connect: 'How to connect a unit',
  gone: {
    title: 'The number is no longer in the list',
    text: 'A unit has it by now, or nothing has come from it for a long time.',
  },
  title: 'What to do with it',
  text: 'Its records are not stored yet. If the unit is yours, adopt it: it appears among the units in no bus, and you choose its bus. A number is no password: adopt only those that you expect.',
  unusable: 'It cannot be adopted: first correct the number in the unit itself.',
  adopt: 'Adopt the unit',
  adopted: 'The unit is adopted. Choose its bus',
  notAdopted: 'The unit is not adopted',
  noLink: 'No connection to the server. Adopt the unit again when it is back.',
  taken: (unit) => `${unit === undefined ? 'A unit' : `The unit ${unit}`} has this number by now`,
  ignore: 'It is not ours',
  unignore: 'Treat as new again',
};
