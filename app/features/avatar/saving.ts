import { readAnswer } from "#app/features/uploads/sending.ts";
import type { SentAnswer } from "#app/features/uploads/sending.ts";

import type { AvatarOptions } from "./rules.ts";

/** Asks the server to draw this face and to make it the avatar. Never rejected: what went wrong is told. */
export async function saveAvatar(options: AvatarOptions): Promise<SentAnswer> {
  const body = new URLSearchParams({ options: JSON.stringify(options) });
  try {
    // Whoever is signed out is sent to the login page, which a script has no use for.
    const response = await fetch("/avatar/save", { method: "POST", body, redirect: "manual" });
    const status = response.type === "opaqueredirect" ? 401 : response.status;
    return readAnswer(status, await response.text());
  } catch (error) {
    // What fetch throws where there is no connection.
    if (error instanceof TypeError) return readAnswer(0, "");
    throw error;
  }
}

/** What the avatar was drawn from last; undefined where it was not drawn, or where that can't be found out now. */
export async function fetchLastDrawn(): Promise<AvatarOptions | undefined> {
  try {
    const response = await fetch("/avatar/save", { redirect: "manual" });
    if (!response.ok) return undefined;
    const { options }: { options: AvatarOptions | null } = await response.json();
    return options ?? undefined;
  } catch (error) {
    // No connection, or an answer that was cut off: the studio can do without.
    if (error instanceof TypeError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
