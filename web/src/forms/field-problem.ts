import { hasInvisible } from '@ridewatch/contract/primitives';
import type { FormTexts } from './texts-ru.ts';

/** The rules of a field. */
export interface FieldRules {
  readonly isRequired?: boolean;
  /** Characters at most. */
  readonly mostLength?: number;
  /** It has several lines. */
  readonly isLong?: boolean;
  /** It is a number, with a point or a comma, within bounds. */
  readonly number?: { readonly least?: number; readonly most?: number; readonly isWhole?: boolean };
}

/**
 * Checks the text of a field (spec section 8).
 * @param text as typed; surrounding spaces are ignored
 * @param messages in the current language
 * @returns the message of the first broken rule, or undefined
 */
export function fieldProblem(
  text: string,
  { isRequired = false, mostLength, isLong = false, number }: FieldRules,
  messages: FormTexts['problems'],
): string | undefined {
  const typed = text.trim();
  if (typed === '') return isRequired ? messages.required : undefined;
  if (mostLength !== undefined && typed.length > mostLength) return messages.tooLong(mostLength);
  if (number === undefined) {
    return !isLong && hasInvisible(typed) ? messages.invisible : undefined;
  }
  const { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY, isWhole } = number;
  const isNumber = (isWhole ? /^-?\d+$/ : /^-?\d+([.,]\d+)?$/).test(typed);
  const value = Number(typed.replace(',', '.'));
  if (isNumber && value >= least && value <= most) return undefined;
  // With both bounds one message covers type and range.
  if (Number.isFinite(least) && Number.isFinite(most)) {
    return isWhole ? messages.wholeBetween(least, most) : messages.between(least, most);
  }
  if (!isNumber) return isWhole ? messages.wholeNumber : messages.number;
  return value < least ? messages.atLeast(least) : messages.atMost(most);
}
