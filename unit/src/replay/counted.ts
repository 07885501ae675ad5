/** A number of things in words. @param word of one of them, a regular noun */
export function counted(count: number, word: string): string {
  if (count === 1) return `${count} ${word}`;
  return `${count} ${word}${/[sx]$/.test(word) ? 'es' : 's'}`;
}
