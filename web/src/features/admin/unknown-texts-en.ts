import type { UnknownTexts } from './unknown-texts-ru.ts';

/** English texts of ids that no unit has. */
export const en: UnknownTexts = {
  id: 'Number or IMEI',
  address: 'From',
  first: 'First heard',
  last: 'Last heard',
  records: 'Records',
  place: 'Last position',
  noPlace: 'it sent none',
  states: { new: 'new', ignored: 'not ours' },
  none: 'No unit with an unknown number sends anything.',
  title: 'What to do with it',
  text: 'Its records are not stored yet. If the unit is yours, take it: it appears among the units in no bus, and you choose its bus. A number is no password: take only those that you expect.',
  adopt: 'Take the unit',
  adopted: 'The unit is taken. Choose its bus',
  ignore: 'It is not ours',
  unignore: 'Treat as new again',
};
