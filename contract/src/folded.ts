/**
 * Letters of number plates, GOST R 50577, that look the same in both alphabets; and letters that a reader takes for one.
 * Each of the first stands for the one at its place in the second.
 */
export const TWINS = { from: 'ёabekmhopctyx', to: 'еавекмнорстух' } as const;

/** All characters that JavaScript takes for spaces: a search leaves them out. */
export const SPACES =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

const SPACE = new RegExp(`[${SPACES}]+`, 'g');

const TWIN_OF = [...TWINS.from].map((letter, at) => [letter, TWINS.to.charAt(at)] as const);

/**
 * Normalizes a text for a search: ignores case and spaces, and treats е and ё, and the same plate letters of both
 * alphabets, as equal.
 */
export function folded(text: string): string {
  let plain = text.toLowerCase().replace(SPACE, '');
  // One pass for each letter is faster than a function for each match.
  for (const [letter, twin] of TWIN_OF) plain = plain.replaceAll(letter, twin);
  return plain;
}
