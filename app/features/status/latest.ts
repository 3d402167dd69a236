/**
 * Remembers what `read` said for `keptMs` (milliseconds), for each `source` by itself, and asks it once however many want to know at the
 * same time: what it reads is the same for all of them. What fails is not remembered.
 */
export function latest<Source extends object, Value>(
  keptMs: number,
  read: (source: Source, now: number) => Promise<Value>,
): (source: Source, now: number) => Promise<Value> {
  const known = new WeakMap<Source, { at: number; value: Promise<Value> }>();
  return (source, now) => {
    const last = known.get(source);
    if (last && now >= last.at && now - last.at < keptMs) return last.value;
    const value = read(source, now);
    known.set(source, { at: now, value });
    value.catch(() => {
      // A slow one may fail when a later one is known already.
      if (known.get(source)?.value === value) known.delete(source);
    });
    return value;
  };
}
