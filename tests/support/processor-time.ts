/**
 * Does something and says how many seconds the processor worked on it in this process. Unlike a clock that does not run on while the machine
 * serves others: it says how much work there was.
 */
export async function processorTime<T>(work: () => T): Promise<{ answer: Awaited<T>; seconds: number }> {
  const before = process.cpuUsage();
  const answer = await work();
  const { user, system } = process.cpuUsage(before);
  return { answer, seconds: (user + system) / 1_000_000 };
}
