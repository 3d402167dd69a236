import { z } from "zod";

import type { HandedOver } from "#app/services/auth/sessions/session-rows.server.ts";
import type { Services } from "#app/services/http/context.ts";

/** What a browser shows that was handed over: the kiosk link of a card. */
type HandedOverForm = z.infer<typeof handedOverForm>;

const handedOverForm = z.object({ path: z.string(), cardId: z.string(), deviceId: z.string() });

/** Encrypted, because the path is a secret of which the database has only a hash. */
export function encryptForm({ secretBox }: Pick<Services, "secretBox">, ownerId: string, form: HandedOverForm): string {
  return secretBox("hand over").encrypt(JSON.stringify(form), ownerId);
}

/** Undefined when the installation's secret was replaced since. */
export function decryptForm(
  { secretBox }: Pick<Services, "secretBox">,
  { ownerId, form }: Pick<HandedOver, "ownerId" | "form">,
): HandedOverForm | undefined {
  const json = secretBox("hand over").read(form, ownerId);
  return json === undefined ? undefined : handedOverForm.parse(JSON.parse(json));
}
