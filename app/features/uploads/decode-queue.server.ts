import { takeTurns } from "#app/services/turns.ts";

import { messages } from "./messages.ts";
import { refuse } from "./refusal.ts";
import type { Refusal } from "./refusal.ts";

/**
 * Opens one file after the other, in the whole process: a large picture takes 200 to 320 MB while it is decoded, and fifty may arrive at once.
 * An owner who sends many waits behind the others with them. Whoever would wait too long is asked to come again.
 */
export async function inTurn<T>(ownerId: string, work: () => Promise<T>): Promise<T | Refusal> {
  try {
    await turns.take(ownerId);
  } catch {
    // Nothing else can go wrong with waiting.
    return refuse(503, messages.busy);
  }
  try {
    return await work();
  } finally {
    turns.give();
  }
}

const PATIENCE = 45_000;

const turns = takeTurns(PATIENCE, "opening an uploaded file");
