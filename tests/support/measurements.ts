import { get } from "node:http";

/**
 * The processor time of `work` in scans (see `scanMs`), so that neither a slow machine nor other programs on it make a difference. The
 * least of up to five rounds, because the first ones compile the code: the first that takes less than `goal` is the last.
 */
export async function timeInScans(work: () => unknown, goal: number): Promise<number> {
  return leastInScans(async () => {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  }, goal);
}

async function leastInScans(measureMs: () => Promise<number>, goal: number): Promise<number> {
  const scan = scanMs();
  let least = Infinity;
  for (let round = 0; round < 5 && least >= goal; round++) least = Math.min(least, (await measureMs()) / scan);
  return least;
}

/**
 * The processor time of a scan, in milliseconds: a loop over twenty million bytes. The average of five, because some systems count a thread's
 * time in steps of four milliseconds, and the least of several such times is too short.
 */
function scanMs(): number {
  const bytes = new Uint8Array(2_000_000).fill(97);
  const before = threadMs();
  let sum = 0;
  for (let pass = 0; pass < 50; pass++) for (let at = 0; at < bytes.length; at++) sum += bytes[at] ?? 0;
  if (sum === 0) throw new Error("The loop was left out.");
  return (threadMs() - before) / 5;
}

/** The longest time in scans for which this thread works without returning to its event loop, measured as `timeInScans` does. */
export function longestBlock(work: () => Promise<unknown>, goal: number): Promise<number> {
  return leastInScans(async () => {
    let [longest, isRunning, last] = [0, true, threadMs()];
    const look = () => {
      longest = Math.max(longest, threadMs() - last);
      last = threadMs();
      if (isRunning) setImmediate(look);
    };
    setImmediate(look);
    await work();
    isRunning = false;
    return Math.max(longest, threadMs() - last);
  }, goal);
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The bytes of a body as sent with gzip; throws when it is not compressed. */
export async function gzipBytes(url: string, headers?: Record<string, string>): Promise<number> {
  const { bytes, encoding } = await fetchBytes(url, headers);
  if (encoding !== "gzip") throw new Error(`${url} is not compressed: ${encoding}`);
  return bytes;
}

/** The bytes of a body that is sent as it is, such as an image or a font. */
export async function plainBytes(url: string): Promise<number> {
  return (await fetchBytes(url)).bytes;
}

function fetchBytes(
  url: string,
  headers?: Record<string, string>,
): Promise<{ bytes: number; encoding: string | undefined }> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { ...headers, "accept-encoding": "gzip" } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      let bytes = 0;
      const encoding = response.headers["content-encoding"];
      response.on("data", (part: Buffer) => (bytes += part.length)).on("end", () => resolve({ bytes, encoding }));
    }).on("error", reject);
  });
}
