// Apart from the home page: the first module of the page needs it.

/** The id of an object that the address names; undefined for what is no id, which counts as none. */
export function pickedIdOf(text: string | null | undefined): number | undefined {
  return text && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
}
