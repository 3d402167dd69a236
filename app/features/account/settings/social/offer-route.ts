import { randomUUID } from "node:crypto";

import { data, redirect } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import { readFields } from "#app/features/account/schema.ts";
import { countEntries } from "#app/features/links/rules.ts";
import { profileLinks } from "#app/features/links/schema.ts";
import { saveProfile, saveProfileDetails } from "#app/features/profile/data.server.ts";
import { storeImageFrom } from "#app/features/profile/files/provider-image-data.server.ts";
import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { displayName } from "#app/features/profile/schema.ts";
import { uploadLimit } from "#app/features/uploads/rules.ts";
import { transact } from "#app/services/database/database.server.ts";
import { services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import type { Route } from "./+types/offer-route.ts";
import { clearConnectionOffer, connectionOfferCookie, readConnectionOffer } from "./offer-data.server.ts";
import type { ConnectionOffer } from "./offer-data.server.ts";
import { socialMessages as messages } from "./social-messages.ts";

type Context = Route.ActionArgs["context"];
type Outcome = { isDone: boolean; title: string };

/** Takes over one part of an account that was just connected. */
export async function action({ context, request }: Route.ActionArgs) {
  const all = services(context);
  const { intent = "" } = await readFields(request);
  const { ownerId } = await loadOwnProfile(context);
  const offer = readConnectionOffer(all, { cookieHeader: request.headers.get("cookie"), userId: ownerId });
  const cleared = new Headers({ "set-cookie": clearConnectionOffer(all) });
  if (intent === "dismiss") return redirect("/profile", { headers: cleared });
  const part = parts[intent];
  if (!part) throw data(null, { status: 400 });
  if (!offer?.[part.field]) return redirectWithToast("/profile", { title: messages.offerGone, tone: "info" }, cleared);
  const { isDone, title } = await part.use(context, offer);
  const { userId, provider, ...identity } = isDone ? { ...offer, [part.field]: "" } : offer;
  const headers = new Headers({ "set-cookie": connectionOfferCookie(all, { userId, provider, identity }) });
  return redirectWithToast("/profile", { title, tone: isDone ? "success" : "error" }, headers);
}

export function loader() {
  return redirect("/profile");
}

type Part = {
  field: "name" | "picture" | "profileUrl";
  use: (context: Context, offer: ConnectionOffer) => Promise<Outcome>;
};

const parts: Record<string, Part | undefined> = Object.assign(Object.create(null), {
  name: { field: "name", use: saveName },
  photo: { field: "picture", use: savePhoto },
  link: { field: "profileUrl", use: saveLink },
} satisfies Record<string, Part>);

async function saveName(context: Context, { userId, name }: ConnectionOffer): Promise<Outcome> {
  const { db, events, clock } = services(context);
  const checked = displayName.safeParse(name);
  if (!checked.success) return { isDone: false, title: messages.nameFailed };
  const save = { ownerId: userId, displayName: checked.data, now: clock() };
  await transact(db, (trx) => saveProfileDetails(trx, events, save));
  return { isDone: true, title: messages.nameUsed };
}

async function savePhoto(context: Context, { userId, picture }: ConnectionOffer): Promise<Outcome> {
  const all = services(context);
  const refused = await all.rateLimits.consume([{ limit: uploadLimit, subject: userId }]);
  const isDone = !refused && (await storeImageFrom(all, { ownerId: userId, url: picture }));
  return { isDone, title: isDone ? messages.photoUsed : messages.photoFailed };
}

async function saveLink(context: Context, { profileUrl: url }: ConnectionOffer): Promise<Outcome> {
  const { db, events, clock } = services(context);
  const profile = await loadOwnProfile(context);
  const added = { id: randomUUID(), url, label: "", on: true, from: null, until: null, tab: null, kind: "link" };
  const { maxLinks } = await findPlan(services(context), profile.ownerId);
  const isFull = countEntries(profile.links).links >= maxLinks;
  const links = profileLinks.safeParse([...profile.links, added]);
  if (isFull || !links.success) return { isDone: false, title: messages.linkFailed };
  const { ownerId, version } = profile;
  const change = { ...profile, links: links.data };
  const { kind } = await saveProfile({ db, events }, { ownerId, version, change, now: clock() });
  return kind === "saved" ? { isDone: true, title: messages.linkAdded } : { isDone: false, title: messages.tryAgain };
}
