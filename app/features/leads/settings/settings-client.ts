import { data } from "react-router";

import { callServerAction } from "#app/ui/forms/submit-in-place.ts";
import type { ActionFailure } from "#app/ui/forms/submit-in-place.ts";
import { readVersion } from "#app/ui/forms/versioned-values.ts";

import { readSettingsForm } from "./settings-schema.ts";
import type { SettingsRejection } from "./settings-schema.ts";

type ClientAction = { request: Request; serverAction: () => Promise<SettingsRejection> };

/** For a `clientAction`: keeps what was typed when the server can't be reached or the owner is signed out. */
export async function saveSettingsInPlace({ request, serverAction }: ClientAction) {
  const form = await request.clone().formData();
  const response = await callServerAction(serverAction);
  if ("result" in response) return data<SettingsRejection>(response.result, { status: 422 });
  const problem = failureTexts[response.failure];
  return data<SettingsRejection>(
    { values: readSettingsForm(form), errors: {}, problem, version: readVersion(form) },
    { status: 503 },
  );
}

const failureTexts: Record<ActionFailure, string> = {
  offline: "You are offline. What you typed is still here. Save again once you are connected.",
  "signed-out": "You are signed out. What you typed is still here. Sign in and save again.",
  "too-large": "This is too long to be sent. Shorten your texts and save again.",
  failed: "Something went wrong on our end. What you typed is still here. Save again in a moment.",
};
