import { z } from "zod";

import { findPlan } from "#app/features/billing/data.server.ts";
import { findOwnCard, listCards } from "#app/features/cards/data.server.ts";
import { cardLimitMessage } from "#app/features/cards/limit-messages.ts";
import { findFirstCard } from "#app/features/cards/public-card.server.ts";
import type { Card } from "#app/features/cards/schema.ts";
import { findVisibleProfile } from "#app/features/profile/public-profile.server.ts";
import { listPassDesigns } from "#app/features/wallet/data.server.ts";
import { findObject } from "#app/features/client-api/storage/object-data.server.ts";
import { readEncodedPath } from "#app/features/client-api/storage/object-response.server.ts";
import { defaultPassDesign, passImagePaths, readPassImagePath } from "#app/features/wallet/pass-design.ts";
import type { PassDesign } from "#app/features/wallet/pass-design.ts";
import { toTime } from "#app/services/api/schemas.ts";
import { mapFields } from "#app/services/base/form-fields.ts";
import type { Services } from "#app/services/http/context.ts";

import { invalidFields, unsupported } from "./data-response.server.ts";
import type { Row, StoredRow, Table, Values } from "./data-schema.ts";
import { runOperation } from "./operations-request.server.ts";
import { isId, withStoredLinks } from "./query-rules.ts";

/** Fields of the operations `createCard` and `updateCard`, by column. */
const fields = {
  card_name: "cardName",
  profession: "profession",
  company: "company",
  position: "position",
  email: "email",
  phone: "phone",
  years_experience: "yearsExperience",
  professional_links: "links",
  is_public: "isPublic",
} as const;

const columnsOfFields = Object.fromEntries(Object.entries(fields).map(([column, field]) => [field, column]));

const passColumns = [
  "pass_background_url",
  "pass_background_original_url",
  "pass_logo_url",
  "pass_use_default_logo",
] as const;

const defaultName = "My Business Card";
const decidedHere = "The server decides it.";

/** The columns of the specification (document 2, section 3). */
export const cardTable: Table = {
  name: "business_cards",
  columns: ["id", "user_id", ...Object.keys(fields), ...passColumns, "passcreator_pass_id", "created_at"],
  lists: ["professional_links"],
  isOnePerOwner: false,
  readOnly: {
    id: decidedHere,
    user_id: "It is the id of your account.",
    passcreator_pass_id: decidedHere,
    created_at: decidedHere,
  },
  // Document 2, section 4: "Card creation defaults".
  newRow: (ownerId) => ({
    user_id: ownerId,
    card_name: defaultName,
    professional_links: [],
    is_public: true,
    pass_use_default_logo: true,
  }),
  async listOwn({ db, config }, ownerId) {
    const designs = new Map((await listPassDesigns(db, ownerId)).map(({ cardId, design }) => [cardId, design]));
    const cards = await listCards(db, ownerId);
    return cards.map((card) => ({
      ...toRow(card),
      card_name: card.cardName,
      is_public: card.isPublic,
      created_at: toTime(card.createdAt),
      ...toPassColumns(designs.get(card.id) ?? defaultPassDesign, config.baseUrl),
    }));
  },
  async findPublic(services, named) {
    const id = named.get("id") ?? (await findOfferedCard(services, named.get("user_id")));
    const found = isId(id) ? await findFirstCard(services, { id }) : undefined;
    // Neither its name nor its date is on its page.
    return found && { ...toRow({ ...found.card, ownerId: found.ownerId }), is_public: true };
  },
  async insert(writer, values) {
    if (passColumns.some((column) => column in values)) throw unsupported("A pass design in an insert");
    const body = toBody({ card_name: defaultName, ...values }, []);
    const { services, viewer } = writer;
    const isSold = services.config.premium === "sold";
    const limitText = isSold ? cardLimitMessage(await findPlan(services, viewer.id), isSold).text : undefined;
    const created = await runOperation(writer, "createCard", { body, columns: columnsOfFields, limitText });
    return createdCard.parse(created).id;
  },
  async update(writer, row, values) {
    const { id } = row;
    const card = await findOwnCard(writer.services.db, { ownerId: writer.viewer.id, id });
    const body = toBody(values, card?.links ?? []);
    const hasPass = passColumns.some((column) => column in values);
    if (hasPass && Object.keys(body).length > 0) throw unsupported("A change of a card and its pass design at once");
    if (hasPass)
      await runOperation(writer, "updatePass", {
        params: { id },
        body: await toPassBody(writer.services, values, row),
        columns: { background: "pass_background_url", tint: "pass_background_url", logo: "pass_logo_url" },
      });
    else if (Object.keys(body).length > 0)
      await runOperation(writer, "updateCard", { params: { id }, body, columns: columnsOfFields });
  },
  async remove(writer, row) {
    await runOperation(writer, "deleteCard", { params: { id: row.id }, columns: {} });
  },
};

const createdCard = z.object({ id: z.string() });

const textColumns = ["profession", "company", "position", "email", "phone"] as const;

type CardFields = Pick<Card, "id" | "ownerId" | "yearsExperience"> &
  Record<(typeof textColumns)[number], string | null> & { links: readonly { name: string; url: string }[] };

/** What the owner and visitors see alike. */
function toRow(card: CardFields): StoredRow {
  return {
    id: card.id,
    user_id: card.ownerId,
    ...mapFields(textColumns, (name) => card[name] || null),
    years_experience: card.yearsExperience,
    professional_links: card.links.map(({ name, url }) => ({ name, url })),
  };
}

/** The id of the card that an owner's page offers: visitors find other public cards only by their own links. */
async function findOfferedCard(services: Services, ownerId: string | undefined): Promise<string | undefined> {
  const found = isId(ownerId) ? await findVisibleProfile(services, ownerId) : undefined;
  return found && "profile" in found ? found.contactCard?.id : undefined;
}

function toBody(values: Values, links: Card["links"]): Record<string, unknown> {
  const sent = Object.entries(fields).filter(([column]) => column in values);
  const body: Record<string, unknown> = Object.fromEntries(sent.map(([column, field]) => [field, values[column]]));
  if ("links" in body) body["links"] = withStoredLinks(body["links"], links, "name");
  // The check of an empty text says what is missing.
  if (body["cardName"] === null) body["cardName"] = "";
  return body;
}

function toPassColumns(design: PassDesign, baseUrl: string): Row {
  const { background, original, logo } = passImagePaths(design);
  const fullUrl = (path: string | undefined) => (path === undefined ? null : baseUrl + path);
  return {
    pass_background_url: fullUrl(background),
    pass_background_original_url: fullUrl(original),
    pass_logo_url: fullUrl(logo),
    pass_use_default_logo: design.logo.kind === "default",
  };
}

/** What the operation `updatePass` makes of changed columns. The original is always the background without its tint. */
async function toPassBody(services: Services, values: Values, row: Row): Promise<Record<string, unknown>> {
  const now = { ...row, ...values };
  const background = (await readImage(services, now["pass_background_url"])) ?? { image: "card", tint: "" };
  const original = (await readImage(services, now["pass_background_original_url"]))?.image ?? "card";
  if (original !== background.image && "pass_background_original_url" in values)
    throw invalidFields([
      { column: "pass_background_original_url", message: "Send the background's own URL, without a tint." },
    ]);
  // To choose a logo turns the default one off.
  const isDefault = values["pass_use_default_logo"] ?? (values["pass_logo_url"] ? false : now["pass_use_default_logo"]);
  const logo = (await readImage(services, now["pass_logo_url"]))?.image ?? "none";
  return {
    ...("pass_background_url" in values && { background: background.image, tint: background.tint || null }),
    ...(("pass_logo_url" in values || "pass_use_default_logo" in values) && { logo: isDefault ? "default" : logo }),
  };
}

/** Undefined for null. An image that isn't one of this site gets a name that no image has. */
async function readImage({ db, config }: Services, url: unknown): Promise<{ image: string; tint: string } | undefined> {
  if (url === null || url === undefined) return undefined;
  const unknown = { image: "", tint: "" };
  const parsed = typeof url === "string" ? URL.parse(url) : null;
  if (parsed?.origin !== new URL(config.baseUrl).origin) return unknown;
  const [, stored] = /^\/storage\/v1\/object\/public\/(pass-assets\/.+)$/.exec(parsed.pathname) ?? [];
  if (stored === undefined) return readPassImagePath(parsed) ?? unknown;
  const path = readEncodedPath(stored);
  const object = path && (await findObject(db, path));
  return object ? { image: `asset:${object.file.keyPrefix}`, tint: "" } : unknown;
}
