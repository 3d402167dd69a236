import { z } from "zod";

import { findPlan } from "#app/features/billing/data.server.ts";
import { linkKinds, optionalLinkTexts } from "#app/features/links/rules.ts";
import { chooseContactCard } from "#app/features/profile/card-data.server.ts";
import { ensureProfile, transactProfile, writeProfile } from "#app/features/profile/data.server.ts";
import type { Profile, ProfileLink } from "#app/features/profile/data.server.ts";
import { linkTextNames, profileTextNames, toDraft } from "#app/features/profile/editor/form-data.ts";
import type { LinkDraft, ProfileDraft } from "#app/features/profile/editor/form-data.ts";
import { saveMessages } from "#app/features/profile/messages.ts";
import { switchLabels, typedTexts } from "#app/features/profile/profile-fields.ts";
import { maxDisplayName } from "#app/features/profile/rules.ts";
import { checkProfile } from "#app/features/profile/schema.ts";
import { themeChoices, toThemeId } from "#app/features/profile/themes.ts";
import { beyondPlan, checkVersion, invalid, notFound, toFieldProblems } from "#app/services/api/problem.ts";
import { operation } from "#app/services/api/resource.ts";
import type { ApiOwner, Call, Resource } from "#app/services/api/resource.ts";
import { textOutput, timeOutput, toTime } from "#app/services/api/schemas.ts";
import { mapFields, namesOf } from "#app/services/base/form-fields.ts";
import type { Services } from "#app/services/http/context.ts";

const time = z.iso.datetime({ offset: true }).nullable().optional();
const text = z.string().nullable().optional();
// Of no other owner: the query of the public page looks only among the owner's cards. PostgreSQL rejects text with a NUL.
const cardId = z
  .string()
  .max(64)
  .regex(/^[^\0]*$/)
  .nullable()
  .optional();
const tabs = ["professional", "personal"] as const;

const optionalLinkTextNames = namesOf(optionalLinkTexts);
const { displayName: _, ...optionalTexts } = typedTexts;
const optionalTextNames = namesOf(optionalTexts);

const linkBody = z.strictObject({
  id: z.string().optional().describe("Of an existing link, whose clicks are counted by it."),
  kind: z.enum(linkKinds).optional().describe("By default `link`. A `featured` link needs a picture."),
  label: z.string().optional(),
  url: z.string().optional(),
  on: z.boolean().optional().describe("Whether visitors see it; by default they do."),
  from: time.describe("Shown from this time."),
  until: time.describe("Shown until this time."),
  tab: z.enum(tabs).nullable().optional().describe("The tab it is on; null: decided by its address."),
  picture: text.describe("The `key` of a file with the id picture:{…}."),
  alt: text,
  ...mapFields(optionalLinkTextNames, () => text),
});

const profileBody = z
  .strictObject({
    displayName: z.string().meta({ maxLength: maxDisplayName }).optional(),
    ...mapFields(optionalTextNames, (name) =>
      z.string().meta({ maxLength: optionalTexts[name].maxLength }).nullable().optional(),
    ),
    handle: text.describe("The address of your page: /u/{handle}; null: your id."),
    theme: z
      .enum(themeChoices.map(({ id }) => id))
      .optional()
      .describe("Some are part of Premium."),
    showBusinessCard: z.boolean().optional().describe("Show your cards when you view your profile."),
    contactCardId: cardId.describe("The card that visitors save; null: your oldest public card; `none`: no card."),
    isListed: z.boolean().optional().describe("Whether search engines may list your page."),
    links: z.array(linkBody).optional().describe("The complete list, in order."),
  })
  .meta({ examples: [{ bio: "Engineer", links: [{ label: "Portfolio", url: "https://example.com" }] }] });

const profileOutput = z
  .object({
    id: z.string(),
    url: z.url(),
    displayName: z.string(),
    ...mapFields(optionalTextNames, () => textOutput),
    handle: textOutput,
    theme: z.enum(themeChoices.map(({ id }) => id)),
    showBusinessCard: z.boolean(),
    contactCardId: textOutput,
    isListed: z.boolean(),
    links: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(linkKinds),
        label: z.string(),
        url: z.string(),
        on: z.boolean(),
        from: timeOutput.nullable(),
        until: timeOutput.nullable(),
        tab: z.enum(tabs).nullable(),
        picture: textOutput,
        alt: textOutput,
        ...mapFields(optionalLinkTextNames, () => textOutput),
      }),
    ),
    version: z.int(),
  })
  .meta({ id: "Profile" });

function toOutput(profile: Profile, baseUrl: string): z.input<typeof profileOutput> {
  const { ownerId, handle, contactCardId, displayName, showBusinessCard, isListed, version, links } = profile;
  return {
    id: ownerId,
    url: `${baseUrl}/u/${handle || ownerId}`,
    displayName,
    ...mapFields(optionalTextNames, (name) => profile[name] || null),
    handle: handle || null,
    theme: toThemeId(profile.theme),
    showBusinessCard,
    contactCardId: contactCardId || null,
    isListed,
    links: links.map(toLinkOutput),
    version,
  };
}

function toLinkOutput({ id, kind, label, url, on, tab, ...link }: ProfileLink) {
  const orTime = (ms: number | null) => (ms === null ? null : toTime(ms));
  return {
    id,
    kind,
    label,
    url,
    on,
    tab,
    from: orTime(link.from),
    until: orTime(link.until),
    ...mapFields(["picture", "alt", ...optionalLinkTextNames], (name) => link[name] || null),
  };
}

type Change = z.output<typeof profileBody>;

/** The form with what was sent: its checks decide. */
function applyChange(stored: Profile, { links, ...change }: Omit<Change, "contactCardId">): ProfileDraft {
  const draft = toDraft(stored);
  return {
    ...mapFields(profileTextNames, (name) => (change[name] === undefined ? draft[name] : (change[name] ?? ""))),
    ...mapFields(namesOf(switchLabels), (name) => change[name] ?? draft[name]),
    links: links?.map(toLinkDraft) ?? draft.links,
  };
}

function toLinkDraft(link: z.output<typeof linkBody>, index: number): LinkDraft {
  const orDigits = (sent: string | null | undefined) => (sent ? String(Date.parse(sent)) : "");
  const texts = { ...link, from: orDigits(link.from), until: orDigits(link.until) };
  return {
    key: String(index),
    id: link.id ?? "",
    kind: link.kind ?? "link",
    on: link.on ?? true,
    ...mapFields(linkTextNames, (name) => texts[name] ?? ""),
  };
}

/** Created at the first visit of the site, or here. */
async function loadProfile(services: Services, { id, email, name }: ApiOwner): Promise<Profile> {
  const profile = await ensureProfile(services, { id, email, name, now: services.clock() });
  if (!profile) throw notFound("account");
  return profile;
}

async function read(services: Services, { owner }: Pick<Call, "owner">) {
  const profile = await loadProfile(services, owner);
  return { body: toOutput(profile, services.config.baseUrl), version: profile.version };
}

async function change(services: Services, { owner, body, version }: Call<unknown, unknown, Change>) {
  const { db, events, clock } = services;
  if (Object.keys(body).length === 0) throw invalid([{ pointer: "", message: "Send at least one field." }]);
  await loadProfile(services, owner);
  const plan = await findPlan(services, owner.id);
  const result = await transactProfile(db, owner.id, async (trx, current) => {
    checkVersion("profile", current.version, version);
    const checked = checkProfile(applyChange(current, body), { plan, stored: current });
    if ("errors" in checked) throw (checked.isPlanLimit ? beyondPlan : invalid)(toFieldProblems(checked.errors));
    const links = checked.change.links.map((link) => ({ ...link, id: link.id || crypto.randomUUID() }));
    if (body.contactCardId !== undefined)
      await chooseContactCard(trx, events, { ownerId: owner.id, cardId: body.contactCardId ?? "" });
    return writeProfile(trx, events, { ownerId: owner.id, change: { ...checked.change, links }, now: clock() });
  });
  if (result.kind === "gone") throw notFound("account");
  if (result.kind === "handle-taken") throw invalid([{ pointer: "/handle", message: saveMessages.handleTaken }]);
  if (result.kind === "too-many-handles") throw invalid([{ pointer: "/handle", message: saveMessages.tooManyHandles }]);
  return read(services, { owner });
}

export const profileResource: Resource = {
  name: "profile",
  title: "Profile",
  description: "Your page with its links.",
  operations: [
    operation({
      id: "getProfile",
      method: "GET",
      path: "/profile",
      summary: "Get your profile",
      scope: "profile:read",
      isVersioned: true,
      response: { status: 200, schema: profileOutput },
      tool: { name: "get_profile", description: "Returns the owner's page with its links." },
      run: read,
    }),
    operation({
      id: "updateProfile",
      method: "PATCH",
      path: "/profile",
      summary: "Change your profile",
      description:
        "Fields that aren't sent stay as they are. `links` replaces the whole list: send those that stay with their `id`.",
      scope: "profile:write",
      isVersioned: true,
      problems: ["plan_limit", "version_conflict"],
      body: profileBody,
      response: { status: 200, schema: profileOutput },
      tool: {
        name: "update_profile",
        description: "Changes the owner's page. `links` replaces the whole list, so read the profile first.",
      },
      run: change,
    }),
  ],
};
