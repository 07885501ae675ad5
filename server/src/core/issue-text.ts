// Says what is wrong with a value, as the end of a sentence that begins with the field's name.
import * as z from 'zod/mini';

type Issue = Parameters<NonNullable<ReturnType<typeof z.config>['localeError']>>[0];

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  file: 'a file',
  date: 'a moment',
};

/** Gives schemas without a message of their own our messages. */
export function setIssueMessages(): void {
  z.config({ localeError: issueText });
}

function issueText(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing';
      return `must be ${kinds[issue.expected] ?? issue.expected}`;
    case 'too_big':
      return boundText(issue.origin, issue.maximum, ['at most', 'less than'], issue.inclusive);
    case 'too_small':
      if (issue.origin === 'string' && Number(issue.minimum) === 1) return 'must not be empty';
      return boundText(issue.origin, issue.minimum, ['at least', 'more than'], issue.inclusive);
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`;
    case 'invalid_format':
      return issue.format === 'regex' ? 'has the wrong format' : `is not a valid ${issue.format}`;
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.join(', ')}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_union':
      return 'matches none of the allowed forms';
    default:
      return 'is invalid';
  }
}

function boundText(
  origin: string,
  bound: number | bigint | unknown,
  [inclusive, exclusive]: readonly [string, string],
  isInclusive = true,
): string {
  const words = `${isInclusive ? inclusive : exclusive} ${bound}`;
  if (origin === 'string') return `must have ${words} characters`;
  if (origin === 'array' || origin === 'set') return `must have ${words} items`;
  if (origin === 'file') return `must have ${words} bytes`;
  return `must be ${words}`;
}
