import type { Handler } from "hono";
import { z } from "zod";

import { findDevice } from "#app/features/address-book/device-data.server.ts";
import { profileMs } from "#app/features/address-book/rules.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";

import { formatProfile } from "./configuration-profile.server.ts";

const linkContent = z.object({ name: z.string(), password: z.string(), expiresAt: z.number() });

/** The path of the configuration profile of a new password: it has the password, encrypted, because we don't store it. */
export function profilePath({ secretBox, clock }: ProfileDeps, { name, password }: { name: string; password: string }) {
  const content: z.infer<typeof linkContent> = { name, password, expiresAt: clock() + profileMs };
  return `/address-book/${boxOf(secretBox).encrypt(JSON.stringify(content), "")}`;
}

type ProfileDeps = Pick<Services, "secretBox" | "clock">;

function boxOf(secretBox: Services["secretBox"]) {
  return secretBox("configuration profile");
}

/** Serves that profile until the link expires or the password is revoked. The phone that scanned the link isn't signed in. */
export function serveProfile({ db, config, secretBox, clock }: Services): Handler<AppEnv> {
  const box = boxOf(secretBox);
  return async (c) => {
    const text = box.read(c.req.param("token") ?? "", "");
    const link = text === undefined ? undefined : linkContent.parse(JSON.parse(text));
    const device = link && link.expiresAt > clock() ? await findDevice(db, link.password) : undefined;
    if (!link || !device || device.isBlocked)
      return c.text("This link has expired. Create another device password.", 404);
    return c.body(formatProfile({ ...link, baseUrl: config.baseUrl, email: device.email }), 200, {
      "content-type": "application/x-apple-aspen-config",
      "content-disposition": 'attachment; filename="meishi-leads.mobileconfig"',
      "cache-control": "no-store",
    });
  };
}
