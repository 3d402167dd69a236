import { data } from "react-router";

import { readDemoCard } from "#app/features/marketing/landing/demo/demo-card.ts";
import type { DemoCard } from "#app/features/marketing/landing/demo/demo-card.ts";
import { makeDemoPass } from "#app/features/wallet/apple/demo-pass.server.ts";
import { issuerOf } from "#app/features/wallet/pass-content.server.ts";
import { findSigner } from "#app/services/config/apple-passes.server.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { formatWait } from "#app/services/base/format.ts";
import type { Services } from "#app/services/http/context.ts";
import { contentDisposition, safeFileName } from "#app/services/http/file-name.ts";
import { nearbyNetworkOf, networkOf } from "#app/services/http/rate-limits.server.ts";

import { checkDemoPass, demoPassContent, messages } from "./rules.ts";
import type { DemoPassErrors } from "./rules.ts";

/** A form that made no pass: all that was typed, and why. */
export type DemoPassRefusal = {
  status: 422 | 429 | 503;
  typed: DemoCard;
  errors: DemoPassErrors;
  notice: string;
};

const hourMs = 60 * 60_000;
const limits = {
  network: { name: "demo-passes", max: 20, windowMs: hourMs },
  nearby: { name: "demo-passes-nearby", max: 60, windowMs: hourMs },
};

type DemoRequest = { address: string; form: FormFields };

/** The pass of what a visitor typed into the live demo. Throws a 404 where passes aren't configured. */
export async function respondWithDemoPass(
  services: Services,
  { address, form }: DemoRequest,
): Promise<Response | DemoPassRefusal> {
  const { config, clock, rateLimits } = services;
  if (!findSigner(services.applePasses, clock())) throw data(null, { status: 404 });
  const typed = readDemoCard(form);
  const checked = checkDemoPass(typed, config.baseUrl);
  if (checked.errors) return { status: 422, typed, errors: checked.errors, notice: messages.invalid };
  const refuse = (status: 429 | 503, notice: string): DemoPassRefusal => ({ status, typed, errors: {}, notice });
  const exceeded = await rateLimits.consume([
    { limit: limits.network, subject: networkOf(address) },
    { limit: limits.nearby, subject: nearbyNetworkOf(address) },
  ]);
  if (exceeded) {
    return refuse(429, messages.tooMany(formatWait(exceeded.until, clock())));
  }
  const content = demoPassContent(checked.card, issuerOf(services));
  const pass = await makeDemoPass(services, { content, requestedBy: address });
  if (pass === undefined) throw data(null, { status: 404 });
  return pass === "busy" ? refuse(503, messages.busy) : passResponse(pass, content.name);
}

function passResponse(pass: Uint8Array<ArrayBuffer>, name: string): Response {
  const fileName = safeFileName(name, { extension: "pkpass", otherwise: "card" });
  return new Response(pass, {
    headers: {
      "content-type": "application/vnd.apple.pkpass",
      "content-length": String(pass.byteLength),
      "content-disposition": contentDisposition("inline", fileName, "card"),
      "cache-control": "no-store",
      "x-robots-tag": "noindex",
    },
  });
}
