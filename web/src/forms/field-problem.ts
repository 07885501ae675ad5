import type { FormTexts } from './texts-ru.ts';

/** What a field asks of its text. */
export interface FieldRules {
  readonly isRequired?: boolean;
  /** Characters at most. */
  readonly mostLength?: number;
  /** It is a number, with a point or a comma, within bounds. */
  readonly number?: { readonly least?: number; readonly most?: number; readonly isWhole?: boolean };
}

/**
 * What is wrong with the text of a field, in general words (spec section 8).
 * @param text as typed; spaces around it do not count
 * @param messages those of the current language
 * @returns undefined when nothing is
 */
export function fieldProblem(
  text: string,
  { isRequired = false, mostLength, number }: FieldRules,
  messages: FormTexts['problems'],
): string | undefined {
  const typed = text.trim();
  if (typed === '') return isRequired ? messages.required : undefined;
  if (mostLength !== undefined && typed.length > mostLength) return messages.tooLong(mostLength);
  if (number === undefined) return undefined;
  const { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY, isWhole } = number;
  const isNumber = (isWhole ? /^-?\d+$/ : /^-?\d+([.,]\d+)?$/).test(typed);
  const value = Number(typed.replace(',', '.'));
  if (isNumber && value >= least && value <= most) return undefined;
  // With both bounds one sentence says all that is asked.
  if (Number.isFinite(least) && Number.isFinite(most)) {
    return isWhole ? messages.wholeBetween(least, most) : messages.between(least, most);
  }
  if (!isNumber) return isWhole ? messages.wholeNumber : messages.number;
  return value < least ? messages.atLeast(least) : messages.atMost(most);
}
