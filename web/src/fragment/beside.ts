/** The fragment after (1) or before (-1) one; the first or the last if none is selected; undefined past an end. */
export function fragmentBeside<T extends { readonly id: number }>(
  fragments: readonly T[],
  selectedId: number | undefined,
  step: 1 | -1,
): T | undefined {
  if (selectedId === undefined) return step === 1 ? fragments[0] : fragments.at(-1);
  const at = fragments.findIndex((fragment) => fragment.id === selectedId);
  return at < 0 ? undefined : fragments[at + step];
}
