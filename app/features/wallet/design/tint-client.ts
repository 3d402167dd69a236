import { parseJsonObject } from "#app/ui/forms/submit-in-place.ts";

import { messages } from "./messages.ts";

/** Asks the server to tint an image. Returns why it couldn't, or undefined. The server knows the owner from the session. */
export async function requestTint(input: { imageUrl: string; tintColor: string; cardId: string }) {
  try {
    const response = await fetch("/functions/v1/tint-image", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(input),
    });
    if (response.ok) return undefined;
    const { error } = { error: undefined, ...parseJsonObject(await response.text()) };
    return typeof error === "string" ? error : messages.tintFailed;
  } catch {
    return messages.tintFailed;
  }
}
