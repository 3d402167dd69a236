import type { WorkerTask } from "#app/services/workers/worker-task.server.ts";

/** `ownWords`: texts about the user, such as their address and name. */
export type PasswordCheck = { password: string; ownWords: string[] };

/** Whether a password is too easy to guess. In a thread: the lists take 30 MB and 80 ms to load, and a check up to 100 ms. */
export const checkPasswordTask: WorkerTask<PasswordCheck, boolean> = {
  name: "check a password",
  run: isEasyToGuess,
};

/**
 * Fewer guesses than for six random characters, the shortest password that is accepted. More would need a slow hash stolen with the database:
 * sign-ins are limited to far fewer.
 */
const minGuesses = 1_000_000;

/** The check takes the square of the length. What is easy to guess in 64 characters isn't saved by more of it. */
const maxChecked = 64;

/** Estimates how often a program that knows common passwords, names, keyboards and the user's own words must guess (zxcvbn). */
export async function isEasyToGuess({ password, ownWords }: PasswordCheck): Promise<boolean> {
  const checker = await (loaded ??= loadChecker());
  const text = password.normalize("NFKC").slice(0, maxChecked);
  return checker.check(text, listWords([productName, ...ownWords])).guesses < minGuesses;
}

const productName = "Meishi";
let loaded: ReturnType<typeof loadChecker> | undefined;

async function loadChecker() {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: maxChecked });
}

/** "Ada.Lovelace@example.com" -> itself, "ada.lovelace", "ada", "lovelace", "example", "com". At most 50, of 3 to 64 characters. */
function listWords(texts: string[]): string[] {
  const words = texts.flatMap((text) => [text, ...text.split("@", 1), ...text.slice(0, 300).split(/[^\p{L}\p{N}]+/u)]);
  const usable = words.map((word) => word.toLowerCase().slice(0, maxChecked)).filter((word) => word.length >= 3);
  return [...new Set(usable)].slice(0, 50);
}
