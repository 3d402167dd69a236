/**
 * Caches the result of `read` for `cacheMs` milliseconds per `source`. Simultaneous calls share one read; a failed read is not cached.
 */
export function cachedRead<Source extends object, Value>(
  cacheMs: number,
  read: (source: Source, now: number) => Promise<Value>,
): (source: Source, now: number) => Promise<Value> {
  const reads = new WeakMap<Source, { at: number; value: Promise<Value> }>();
  return (source, now) => {
    const last = reads.get(source);
    if (last && now >= last.at && now - last.at < cacheMs) return last.value;
    const value = read(source, now);
    reads.set(source, { at: now, value });
    value.catch(() => {
      // A newer read may have replaced this one in the meantime.
      if (reads.get(source)?.value === value) reads.delete(source);
    });
    return value;
  };
}
