/**
 * Joins reads of one key, so that however many ask, one connection is enough. At most one read of a key runs; those who
 * ask meanwhile share the next one, which sees everything that was stored before they asked.
 * @param read reads the key's value; what it throws, all who share it get
 * @returns asks for a key
 */
export function createJoinedReads<Key, Value>(
  read: (key: Key) => Promise<Value>,
): (key: Key) => Promise<Value> {
  const reads = new Map<Key, { running: Promise<Value>; next?: Promise<Value> }>();
  const start = (key: Key): Promise<Value> => {
    const current: { running: Promise<Value>; next?: Promise<Value> } = { running: read(key) };
    reads.set(key, current);
    const forget = (): void => {
      if (current.next === undefined) reads.delete(key);
    };
    current.running.then(forget, forget);
    return current.running;
  };
  return (key) => {
    const current = reads.get(key);
    if (current === undefined) return start(key);
    current.next ??= current.running.then(
      () => start(key),
      (error: unknown) => {
        reads.delete(key);
        throw error;
      },
    );
    return current.next;
  };
}
