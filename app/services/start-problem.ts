/** A reason not to start that the person at the keyboard can mend: printed as this one line, without a stack. */
export function startProblem(message: string, cause?: unknown): Error {
  const problem = new Error(message.replace(/\s+/g, " ").trim(), { cause });
  problem.name = NAME;
  return problem;
}

/** Told apart by name, not by identity: the built program may hold this module twice. */
export function isStartProblem(error: unknown): error is Error {
  return error instanceof Error && error.name === NAME;
}

const NAME = "StartProblem";
