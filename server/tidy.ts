import type { Services } from "#app/services/context.ts";

const EVERY_MS = 60 * 60 * 1_000;

/** Once an hour: takes away what is over and only takes room (sessions, links in mails, counts of guesses). */
export function keepTidy({ auth, limits, log }: Services) {
  async function sweep() {
    try {
      await auth.sweep();
      await limits.sweep();
    } catch (error) {
      log.error({ err: error }, "what is over could not be taken away; tried again in an hour");
    }
  }
  setInterval(() => void sweep(), EVERY_MS).unref();
}
