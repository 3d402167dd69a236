import type { PassContent } from "#app/features/wallet/pass-content.ts";
import { findSigner } from "#app/services/config/apple-passes.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { loadPassParts } from "./pass-parts.server.ts";
import { applePassTask } from "./pass-tasks.server.ts";

/** A demo ends by itself, 23 to 24 hours after it was made. In milliseconds. */
const [hourMs, lifetimeMs] = [60 * 60_000, 24 * 60 * 60_000];

const noPhotos = { avatar: undefined, logo: undefined, background: undefined };

type DemoServices = Pick<Services, "clock" | "imageCache" | "workers" | "applePasses">;
type DemoContent = Omit<PassContent, "cardId" | "isVoided">;

/**
 * A .pkpass of texts that belong to no card: signed, but without an update service, so nothing is stored. Undefined where passes aren't
 * configured, "busy" while too many are being made. `requestedBy`: the client's network address.
 */
export async function makeDemoPass(
  { clock, imageCache, workers, applePasses }: DemoServices,
  { content, requestedBy }: { content: DemoContent; requestedBy: string },
): Promise<Uint8Array<ArrayBuffer> | "busy" | undefined> {
  const now = clock();
  const signer = findSigner(applePasses, now);
  if (!signer) return undefined;
  // Of the whole hour, so that pressing the button again gets the same file.
  const expiresAt = Math.floor(now / hourMs) * hourMs + lifetimeMs;
  const image = { kind: "Apple demo pass 1", content: [content, expiresAt, signer.certificate] };
  const cardId = `demo-${imageCache.etagOf(image).replaceAll('"', "")}`;
  const pass = await imageCache.get({
    ...image,
    ownerId: "demo pass",
    requestedBy,
    draw: async () => {
      const options = { authenticationToken: "", serviceUrl: undefined, demo: { expiresAt } };
      const parts = await loadPassParts({ imageCache, workers }, content, async () => noPhotos);
      const full = { ...content, cardId, isVoided: false };
      const body = await workers.run(applePassTask, { content: full, parts, options, signer, now });
      return { body: new Uint8Array(body), type: "application/vnd.apple.pkpass" };
    },
  });
  return pass === "busy" ? pass : pass.body;
}
