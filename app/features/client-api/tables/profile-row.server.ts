import { z } from "zod";

import { findPlan } from "#app/features/billing/data.server.ts";
import { ensureProfile, findProfile } from "#app/features/profile/data.server.ts";
import type { Profile } from "#app/features/profile/data.server.ts";
import { findVisibleProfile } from "#app/features/profile/public-profile.server.ts";
import { removeAsset, renameResume } from "#app/features/uploads/data.server.ts";
import { avatarUrls, bannerUrls } from "#app/features/uploads/image-urls.ts";
import { storageLocation } from "#app/features/uploads/rules.ts";

import { invalidFields, notOwn, refuse } from "./data-response.server.ts";
import type { StoredRow, Table, Values, Writer } from "./data-schema.ts";
import { runOperation } from "./operations-request.server.ts";
import { isId, withStoredLinks } from "./query-rules.ts";

/** Fields of the operation `updateProfile`, by column. */
const fields = {
  display_name: "displayName",
  bio: "bio",
  links: "links",
  theme: "theme",
  show_business_card: "showBusinessCard",
  handle: "handle",
} as const;

const columnsOfFields = Object.fromEntries(Object.entries(fields).map(([column, field]) => [field, column]));

/** Columns with the URL of an upload, and its slot. */
const fileSlots = { avatar_url: "avatar", banner_url: "banner", resume_url: "resume" } as const;

/** The columns of the specification (document 2, section 3), and the handle. */
export const profileTable: Table = {
  name: "profiles",
  columns: [
    "id",
    "user_id",
    "display_name",
    "bio",
    "avatar_url",
    "links",
    "resume_url",
    "resume_filename",
    "banner_url",
    "theme",
    "show_business_card",
    "subscription_tier",
    "handle",
  ],
  lists: ["links"],
  isOnePerOwner: true,
  readOnly: {
    id: "It is the id of your account.",
    user_id: "It is the id of your account.",
    subscription_tier: "Your subscription decides it.",
  },
  newRow: (ownerId) => ({ id: ownerId, user_id: ownerId, subscription_tier: "free" }),
  async listOwn(services, ownerId) {
    const profile = await findProfile(services.db, ownerId);
    if (!profile) return [];
    const { id: tier } = await findPlan(services, ownerId);
    const links = profile.links.map(({ label, url }) => ({ label, url }));
    return [{ ...toRow(profile, services.config.baseUrl), links, subscription_tier: tier }];
  },
  async findPublic(services, named) {
    const value = named.get("user_id") ?? named.get("id") ?? named.get("handle");
    const found = isId(value) ? await findVisibleProfile(services, value) : undefined;
    if (!found || "to" in found) return undefined;
    const { profile, publicProfile } = found;
    // Headings are no links.
    const links = publicProfile.links.filter(({ url }) => url !== "").map(({ label, url }) => ({ label, url }));
    const shown = toRow(profile, services.config.baseUrl);
    // Visitors can't sign a URL: this one leads them to a signed one.
    const resumeUrl = shown["resume_url"] && `${services.config.baseUrl}/u/${profile.ownerId}/resume`;
    return { ...shown, links, resume_url: resumeUrl, theme: publicProfile.theme, show_business_card: null };
  },
  async insert(writer, values) {
    const { services, viewer } = writer;
    const { id, email, name } = viewer;
    if (!(await ensureProfile(services, { id, email, name, now: services.clock() }))) throw notOwn("profiles", false);
    for (const row of await profileTable.listOwn(services, id)) await profileTable.update(writer, row, values);
    return id;
  },
  async update(writer, row, values) {
    checkFiles(row, values, writer.services.config.baseUrl);
    const sent = Object.entries(fields).filter(([column]) => column in values);
    if (sent.length > 0) {
      const body = Object.fromEntries(sent.map(([column, field]) => [field, values[column]]));
      if ("links" in body) body["links"] = withStoredLinks(body["links"], await listStoredLinks(writer), "label");
      if (body["displayName"] === null) body["displayName"] = "";
      await runOperation(writer, "updateProfile", { body, columns: columnsOfFields });
    }
    await writeFiles(writer, values);
  },
  async remove() {
    throw refuse("42501", "permission denied for table profiles", {
      hint: "A profile is deleted with its account.",
    });
  },
};

/** What the owner and visitors see alike. */
function toRow({ ownerId, displayName, bio, handle, theme, ...profile }: Profile, baseUrl: string): StoredRow {
  const fullUrl = (path: string | undefined) => (path === undefined ? null : baseUrl + path);
  const { resumeFilename } = profile;
  const resume = `${storageLocation("resume", ownerId, 0).keyPrefix}.${resumeFilename.split(".").at(-1)}`;
  return {
    id: ownerId,
    user_id: ownerId,
    display_name: displayName,
    bio: bio || null,
    avatar_url: fullUrl(avatarUrls(profile.avatarKey)?.jpeg),
    // The address that the storage of the specification has for it. Whoever opens it needs a signed one.
    resume_url: resumeFilename ? `${baseUrl}/storage/v1/object/public/${resume}` : null,
    resume_filename: resumeFilename || null,
    banner_url: fullUrl(bannerUrls(profile.bannerKey)?.jpeg),
    theme,
    show_business_card: profile.showBusinessCard,
    handle: handle || null,
  };
}

const storedProfile = z.object({ links: z.array(z.looseObject({ label: z.string(), url: z.string() })) });

async function listStoredLinks(writer: Writer) {
  return storedProfile.parse(await runOperation(writer, "getProfile", { columns: {} })).links;
}

/**
 * An upload displays its file at once. So a URL in the owner's own folder, which clients write after an upload, changes nothing; null
 * removes the file. No other URL may be displayed.
 */
function checkFiles(row: StoredRow, values: Values, baseUrl: string): void {
  for (const [column, slot] of Object.entries(fileSlots)) {
    const url = values[column];
    if (url === undefined || url === null) continue;
    const folder = storageLocation(slot, row.id, 0).keyPrefix.split("/").slice(0, 2).join("/");
    const sent = typeof url === "string" ? URL.parse(url) : null;
    const isOwn = sent?.pathname.includes(`/${folder}/`) && sent.origin === new URL(baseUrl).origin;
    if (!isOwn || row[column] === null)
      throw refuse("42501", `permission denied for column ${column} of table profiles`, {
        hint: "Upload the file, which shows it, and then write its URL; null removes it.",
      });
  }
  const name = values["resume_filename"];
  if (name !== undefined && name !== null && (typeof name !== "string" || row["resume_url"] === null))
    throw invalidFields([{ column: "resume_filename", message: "Upload a resume first." }]);
}

async function writeFiles({ services, viewer }: Writer, values: Values): Promise<void> {
  for (const [column, slot] of Object.entries(fileSlots))
    if (values[column] === null) await removeAsset(services, { ownerId: viewer.id, slot });
  const name = values["resume_filename"];
  if (typeof name === "string" && values["resume_url"] !== null)
    await renameResume(services, { ownerId: viewer.id, name });
}
