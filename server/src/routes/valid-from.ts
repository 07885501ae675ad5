// Versions that are valid from a local day. A change begins on its day; earlier days stay.

/** One version of something. */
export interface Version<T> {
  /** `YYYY-MM-DD` */
  readonly from: string;
  /** The first day on which it is no longer valid; null: it has no end. */
  readonly to: string | null;
  readonly value: T;
}

/** The version that is valid on a day. */
export function versionOn<T>(versions: readonly Version<T>[], day: string): Version<T> | undefined {
  return versions.find(({ from, to }) => from <= day && (to === null || to > day));
}

/**
 * The versions after a value is set from a day on. Later versions stay.
 * @param value null: from then on there is none
 */
export function changedFrom<T>(
  versions: readonly Version<T>[],
  day: string,
  value: T | null,
): Version<T>[] {
  const covering = versionOn(versions, day);
  const later = laterThan(versions, day);
  if (value === null) return [...before(versions, day), ...later];
  const to = covering === undefined ? (later[0]?.from ?? null) : covering.to;
  return [...before(versions, day), { from: day, to, value }, ...later];
}

/**
 * The versions after an edit from a day on. The edit continues through the following versions without a gap: in each of
 * them, up to the one that changed the same field, the field gets the new value.
 * @param value null: it ends, and so do the following versions without a gap
 */
export function editedFrom<T extends object>(
  versions: readonly Version<T>[],
  day: string,
  value: T | null,
): Version<T>[] {
  const covering = versionOn(versions, day);
  const later = laterThan(versions, day);
  if (covering === undefined) return changedFrom(versions, day, value);
  const kept = before(versions, day);
  if (value !== null) kept.push({ from: day, to: covering.to, value });
  let end = covering.to;
  let open = (Object.keys(covering.value) as (keyof T)[]).filter(
    (key) => value?.[key] !== covering.value[key],
  );
  for (const version of later) {
    if (version.from !== end) open = [];
    const follows = version.from === end;
    end = follows ? version.to : end;
    if (follows && value === null) continue;
    open = open.filter((key) => version.value[key] === covering.value[key]);
    const edited = { ...version.value };
    if (value !== null) for (const key of open) edited[key] = value[key];
    kept.push({ ...version, value: edited });
  }
  return kept;
}

// The versions before a day, cut off there.
function before<T>(versions: readonly Version<T>[], day: string): Version<T>[] {
  return versions
    .filter(({ from }) => from < day)
    .map((version) =>
      version.to === null || version.to > day ? { ...version, to: day } : version,
    );
}

function laterThan<T>(versions: readonly Version<T>[], day: string): Version<T>[] {
  return versions.filter(({ from }) => from > day).sort((a, b) => (a.from < b.from ? -1 : 1));
}

/**
 * Versions of several things that begin together, as an edit before their first day finds them: until then the first
 * day's values were valid on all earlier days.
 */
export function reachingBack<T>(
  versions: readonly Version<T>[],
  firstDay: string | undefined,
  day: string,
): Version<T>[] {
  return versions.map((version) =>
    version.from === firstDay && day < firstDay ? { ...version, from: day } : version,
  );
}

/** The changes of rows: changed and removed ones are deleted, changed and new ones inserted. */
export function rowChanges<T>(
  was: readonly Version<T>[],
  is: readonly Version<T>[],
): { deleted: string[]; inserted: Version<T>[] } {
  const textOf = (version: Version<T>): string => JSON.stringify(version);
  const old = new Set(was.map(textOf));
  const kept = new Set(is.map(textOf));
  return {
    deleted: was.filter((version) => !kept.has(textOf(version))).map(({ from }) => from),
    inserted: is.filter((version) => !old.has(textOf(version))),
  };
}
