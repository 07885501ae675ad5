import { enForm } from '../../i18n/plural.ts';
import type { ru } from './aside-texts-ru.ts';

/** English texts of records without a time. */
export const en: typeof ru = {
  title: 'Records without a time',
  text: (count) =>
    `The clock of the unit was wrong, and the time of ${count} ${enForm(count, 'record', 'records')} is not known. They are stored and in no count and no lap. The program places them itself once the records around them tell the time; the rest is for you to decide.`,
  people: (entered, exited) => `${entered} entered, ${exited} exited`,
  positions: 'Positions',
  others: 'Other records',
  sent: "By the unit's clock",
  before: 'Record before them',
  after: 'Record after them',
  firstTime: 'Time of the first of them',
  hint: 'In Moscow time; the others keep their distance to it.',
  wrongTime: 'At this time the records would be in the future or before 2010.',
  rightAfter: 'Right after the one before',
  rightBefore: 'Right before the next',
  place: 'Count them',
  raw: 'As the unit sent them',
  discard: 'Delete',
  discardText: 'The records are lost for good. The audit log keeps how many people they were.',
};
