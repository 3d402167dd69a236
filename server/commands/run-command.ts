import { isDiskFull, isStartProblem } from "#app/services/base/errors.ts";

/** Runs a command with the arguments of the process. Its text goes to standard output; what failed to standard error. */
export function runCommand(run: (given: string[]) => Promise<string | void>): void {
  run(process.argv.slice(2)).then(
    (text) => text !== undefined && process.stdout.write(`${text}\n`),
    (error: unknown) => {
      process.stderr.write(`${describe(error)}\n`);
      process.exitCode = 1;
    },
  );
}

/** A sentence for what the operator can correct; the stack of a defect. */
function describe(error: unknown): string {
  if (isStartProblem(error)) return error.message;
  if (isDiskFull(error)) return "The disk is full. Make space and try again.";
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
