import type { Clock } from './clock.ts';

/** Bounds of a cache. */
export interface CacheLimits<Value> {
  /** Most entries; with `sizeOf`, the largest sum of their sizes. */
  readonly most: number;
  /** Size of an entry, in the unit of `most`; 1 unless given. */
  readonly sizeOf?: (value: Value) => number;
  /** Age at which an entry is stale, ms; never stale unless given. */
  readonly age?: { readonly keepMs: number; readonly clock: Pick<Clock, 'elapsedMs'> };
  /** Called with each entry that leaves the cache: evicted, stale, deleted or replaced. */
  readonly onLeave?: (value: Value) => void;
}

interface Entry<Value> {
  readonly value: Value;
  readonly size: number;
  readonly setAtMs: number;
}

/** An LRU cache in the memory of one process. A full cache evicts the least recently used entry. */
export class Cache<Key, Value> {
  // In order of use, the least recently used first.
  readonly #entries = new Map<Key, Entry<Value>>();
  readonly #limits: CacheLimits<Value>;
  #size = 0;

  constructor(limits: CacheLimits<Value>) {
    this.#limits = limits;
  }

  /** The value of a key; undefined when it is missing or stale. */
  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (this.#isStale(entry)) {
      this.delete(key);
      return undefined;
    }
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Sets a value. Its age starts at 0. */
  set(key: Key, value: Value): void {
    this.delete(key);
    const { sizeOf, age, most } = this.#limits;
    const size = sizeOf?.(value) ?? 1;
    this.#entries.set(key, { value, size, setAtMs: age?.clock.elapsedMs() ?? 0 });
    this.#size += size;
    // Only when needed: an iterator first skips all entries deleted since the last rehash.
    if (this.#size <= most) return;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= most) break;
      this.delete(oldest);
    }
  }

  /**
   * Deletes an entry.
   * @param only deletes it only while it has this value
   */
  delete(key: Key, only?: Value): void {
    const entry = this.#entries.get(key);
    if (entry === undefined || (only !== undefined && entry.value !== only)) return;
    this.#entries.delete(key);
    this.#size -= entry.size;
    this.#limits.onLeave?.(entry.value);
  }

  /** Deletes all entries. */
  clear(): void {
    for (const key of [...this.#entries.keys()]) this.delete(key);
  }

  /** Deletes stale entries and returns the others, the most recently used last. */
  entries(): [Key, Value][] {
    const fresh: [Key, Value][] = [];
    for (const [key, entry] of [...this.#entries]) {
      if (this.#isStale(entry)) this.delete(key);
      else fresh.push([key, entry.value]);
    }
    return fresh;
  }

  #isStale({ setAtMs }: Entry<Value>): boolean {
    const { age } = this.#limits;
    return age !== undefined && age.clock.elapsedMs() - setAtMs >= age.keepMs;
  }
}

/**
 * The value of a key, built when it is not cached. Concurrent callers share one build.
 * @param build when it fails, nothing is cached and the next caller builds again
 */
export function cached<Key, Value>(
  cache: Cache<Key, Promise<Value>>,
  key: Key,
  build: () => Promise<Value>,
): Promise<Value> {
  const found = cache.get(key);
  if (found !== undefined) return found;
  const building = build();
  cache.set(key, building);
  building.catch(() => cache.delete(key, building));
  return building;
}

/** Builds that are under way, by key: a caller that asks for the key of one meanwhile gets its result. */
export class JoinedBuilds<Key, Value> {
  readonly #builds = new Map<Key, Promise<Value>>();

  /** The result of the build of a key; `build` begins one when none is under way. */
  join(key: Key, build: () => Promise<Value>): Promise<Value> {
    const running = this.#builds.get(key);
    if (running !== undefined) return running;
    const building = build().finally(() => this.#builds.delete(key));
    this.#builds.set(key, building);
    return building;
  }
}
