type Cleanup = () => unknown;

const cleanups: Cleanup[] = [];

/** Runs `work` after the current test, the latest first: connections close before their database or folder goes. */
export function cleanUpAfterTest(work: Cleanup): void {
  cleanups.push(work);
}

export async function runCleanups(): Promise<void> {
  for (let work = cleanups.pop(); work; work = cleanups.pop()) await work();
}
