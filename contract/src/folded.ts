/**
 * Letters of number plates, GOST R 50577, that look the same in both alphabets; and letters that a reader takes for one.
 * Each of the first stands for the one at its place in the second.
 */
export const TWINS = { from: 'ёabekmhopctyx', to: 'еавекмнорстух' } as const;

const TWIN_OF = [...TWINS.from].map((letter, at) => [letter, TWINS.to.charAt(at)] as const);

/**
 * Normalizes a text for a search: ignores case and spaces, and treats е and ё, and the same plate letters of both
 * alphabets, as equal.
 */
export function folded(text: string): string {
  let plain = text.toLowerCase().replace(/\s+/g, '');
  // One pass for each letter is faster than a function for each match.
  for (const [letter, twin] of TWIN_OF) plain = plain.replaceAll(letter, twin);
  return plain;
}
