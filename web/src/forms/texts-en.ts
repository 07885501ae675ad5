import { formatNumber } from '../i18n/format.ts';
import { enForm } from '../i18n/plural.ts';
import type { FormTexts } from './texts-ru.ts';

/** English texts of form controls. */
export const en: FormTexts = {
  problems: {
    required: 'Please fill this in',
    tooLong: (most) => `At most ${most} ${enForm(most, 'character', 'characters')}`,
    invisible: 'There are invisible characters',
    number: 'Please enter a number',
    wholeNumber: 'Please enter a whole number',
    atLeast: (least) => `${least} at least`,
    atMost: (most) => `${most} at most`,
    between: (least, most) => `A number from ${least} to ${most}`,
    wholeBetween: (least, most) => `A whole number from ${least} to ${most}`,
    time: 'No such time',
    mail: 'Please enter a mail address',
  },

  typedDay: 'Date in digits',
  typedDayHint: 'dd.mm.yyyy',
  presets: { yesterday: 'Yesterday', lastWeek: 'Last week', month: 'Month to yesterday' },
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  today: 'Today',
  weekdays: ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'],
  locale: 'en-GB',

  optionsOf: (label) => `Options: ${label}`,
  moreOptions: (count) => `And ${formatNumber(count)} more: type a part of the name`,

  pick: {
    allFound: 'All found',
    nothing: 'Nothing found',
    open: (name) => `Open: ${name}`,
    close: (name) => `Close: ${name}`,
    partOf: (count, of) => `${count} of ${of}`,
  },

  chooseFile: 'Choose a file',
  otherFile: 'Another file',
  dropFile: 'or drop it here',
  uploading: (percent) => `Uploading: ${percent}\u00a0%`,
  readingFile: 'Reading the file…',
};
