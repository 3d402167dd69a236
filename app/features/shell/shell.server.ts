import { data } from "react-router";
import type { RouterContextProvider } from "react-router";

import { isOperator } from "#app/services/auth/sessions/viewer.server.ts";
import { createPathForLog } from "#app/services/features/path-for-log.ts";
import { services, viewer } from "#app/services/http/context.ts";
import type { Services } from "#app/services/http/context.ts";

/** The data of header and footer, for the loader of every layout with a shell. */
export async function loadShell(context: Readonly<RouterContextProvider>) {
  const user = viewer(context);
  const { siteContent, config } = services(context);
  return {
    viewer: user && {
      id: user.id,
      handle: await findHandle(services(context), user.id),
      ...(isOperator(config, user) && { isOperator: true }),
    },
    social: socialLinks(siteContent.social, config.sourceUrl),
  };
}

/** The user's handle; "" without one, and when it can't be read: a page that fails then shows its own message, below the header. */
async function findHandle({ db, log }: Services, ownerId: string): Promise<string> {
  try {
    const row = await db
      .selectFrom("handle")
      .select("handle")
      .where("owner_id", "=", ownerId)
      .where("is_current", "=", 1)
      .executeTakeFirst();
    return row?.handle ?? "";
  } catch (error) {
    log.error({ err: error }, "could not read the handle; the header links to the profile by its id");
    return "";
  }
}

/** An icon in the footer. */
export type SocialLink = { icon: SocialIcon; name: string; url: string };

export type SocialIcon =
  | "github"
  | "linkedin"
  | "x"
  | "instagram"
  | "facebook"
  | "twitch"
  | "globe"
  | "document"
  | "status";

/** The accounts in the operator's content file with their icons; without any, where to learn more about this site. */
export function socialLinks(given: readonly { service: string; url: string }[], sourceUrl?: string): SocialLink[] {
  if (given.length === 0)
    return [
      ...(sourceUrl === undefined ? [] : [{ icon: "github", name: "Source code", url: sourceUrl } as const]),
      { icon: "document", name: "Documentation", url: "/docs" },
      { icon: "status", name: "Status of this site", url: "/status" },
    ];
  return given.map(({ service, url }) => {
    const known = knownServices.find(({ icon }) => icon === service.trim().toLowerCase());
    return { icon: known?.icon ?? "globe", name: known?.name ?? service, url };
  });
}

const knownServices: readonly { icon: SocialIcon; name: string }[] = [
  { icon: "github", name: "GitHub" },
  { icon: "linkedin", name: "LinkedIn" },
  { icon: "x", name: "X" },
  { icon: "instagram", name: "Instagram" },
  { icon: "facebook", name: "Facebook" },
  { icon: "twitch", name: "Twitch" },
];

/** Logs the path and throws the 404. */
export function throwNotFound(context: Parameters<typeof services>[0], { pathname }: URL): never {
  const { log, features } = services(context);
  log.warn({ path: createPathForLog(features)(pathname) }, "no such page");
  throw data(null, { status: 404 });
}
