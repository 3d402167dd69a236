import { z } from "zod";

import { defaultImages } from "#app/features/wallet/assets/default-image-model.ts";
import { loadPassState, saveDesign } from "#app/features/wallet/design/design-data.server.ts";
import type { PassState } from "#app/features/wallet/design/design-data.server.ts";
import { messages } from "#app/features/wallet/design/messages.ts";
import {
  isTint,
  orderLinks,
  passSwitchNames,
  readBackground,
  readLogo,
} from "#app/features/wallet/design/pass-form.ts";
import type { PassFormValues } from "#app/features/wallet/design/pass-form.ts";
import { beyondPlan, checkVersion, invalid, notFound } from "#app/services/api/problem.ts";
import { operation } from "#app/services/api/resource.ts";
import type { Call, Resource } from "#app/services/api/resource.ts";
import { textOutput, timeOutput, toTime } from "#app/services/api/schemas.ts";
import { mapFields } from "#app/services/base/form-fields.ts";
import type { Services } from "#app/services/http/context.ts";

const about = {
  background: `\`card\`: the card's own colors; one of ours: ${defaultImages.map(({ id }) => `\`default:${id}\``).join(", ")}; or an image of \`library\`.`,
  tint: "A color over the background, such as #3a5f8c. Part of Premium.",
  logo: "`none`; `default`: the card's logo, or ours; or an image of `library`.",
  hasQrLabel: "Whether the card's address is below the QR code.",
  linkOrder: "The ids of the card's links on the back. Links that aren't named follow.",
};

const designBody = z
  .strictObject({
    background: z
      .string()
      .refine((text) => readBackground(text) !== undefined, messages.unknownImage)
      .optional()
      .describe(about.background),
    tint: z
      .string()
      .nullable()
      .transform((text) => text?.toLowerCase() ?? "")
      .refine(isTint, "Send a color such as #3a5f8c, or null.")
      .optional()
      .describe(about.tint),
    logo: z
      .string()
      .refine((text) => readLogo(text) !== undefined, messages.unknownImage)
      .optional()
      .describe(about.logo),
    ...mapFields(passSwitchNames, () => z.boolean().optional()),
    hasQrLabel: z.boolean().optional().describe(about.hasQrLabel),
    linkOrder: z.array(z.string()).optional().describe(about.linkOrder),
  })
  .meta({ examples: [{ background: "default:washi", showsPhone: false }] });

const walletFields = {
  isSetUp: z.boolean().describe("Whether this site makes passes for this wallet."),
  isIssued: z.boolean().describe("Whether anyone has asked for the pass."),
  url: z.url().nullable().describe("Adds the pass to a phone; null while visitors can't open it."),
  problem: textOutput.describe("Why the last change hasn't been delivered."),
};

const passOutput = z
  .object({
    cardId: z.string(),
    design: z.object({
      background: z.string().describe(about.background),
      tint: textOutput.describe(about.tint),
      logo: z.string().describe(about.logo),
      ...mapFields(passSwitchNames, () => z.boolean()),
      hasQrLabel: z.boolean().describe(about.hasQrLabel),
      linkOrder: z.array(z.string()).describe(about.linkOrder),
    }),
    library: z
      .array(z.object({ value: z.string(), field: z.enum(["background", "logo"]), name: z.string() }))
      .describe("Your own images: `value` for the `field` of the design. Part of Premium."),
    voidReason: textOutput.describe("Why visitors can't open the card, whose pass is then void."),
    apple: z.object({
      ...walletFields,
      devices: z.int().describe("Devices with the pass."),
      waitingDevices: z.int().describe("Those that don't know about the last change yet."),
      changedAt: timeOutput.nullable().describe("When something visible last changed."),
      pushedAt: timeOutput.nullable().describe("When devices were last notified."),
    }),
    google: z.object({
      ...walletFields,
      isWaiting: z.boolean().describe("Whether the last change is on its way."),
      sentAt: timeOutput.nullable().describe("When Google was last known to have what the card shows."),
    }),
    version: z.int().describe("0 until you choose a design."),
    updatedAt: timeOutput.nullable().describe("When you last changed the design."),
  })
  .meta({ id: "Pass" });

function toOutput(cardId: string, state: PassState, baseUrl: string): z.input<typeof passOutput> {
  const { stored, library, voidReason, offered, path, status, updatedAt } = state;
  const { google } = status;
  const orTime = (ms: number | undefined) => (ms === undefined ? null : toTime(ms));
  const urlOf = (wallet: keyof typeof offered, end: string) =>
    offered[wallet] && path !== undefined ? `${baseUrl}${path}/${end}` : null;
  return {
    cardId,
    design: { ...stored.values, tint: stored.values.tint || null },
    library: library.map(({ kind, keyPrefix, filename }) => ({
      value: `asset:${keyPrefix}`,
      field: kind,
      name: filename,
    })),
    voidReason: voidReason ?? null,
    apple: {
      isSetUp: offered.apple,
      isIssued: status.changedAt !== undefined,
      url: urlOf("apple", "pass.pkpass"),
      problem: (status.waiting > 0 && status.problem) || null,
      devices: status.devices,
      waitingDevices: status.waiting,
      changedAt: orTime(status.changedAt),
      pushedAt: orTime(status.updatedAt),
    },
    google: {
      isSetUp: offered.google,
      isIssued: google !== undefined,
      url: urlOf("google", "google-wallet"),
      problem: google?.problem || null,
      isWaiting: google?.isWaiting ?? false,
      sentAt: orTime(google?.sentAt),
    },
    version: stored.version,
    updatedAt: orTime(updatedAt),
  };
}

async function read(services: Services, { owner, params }: Pick<Call<{ id: string }>, "owner" | "params">) {
  const loaded = await loadPassState(services, { ownerId: owner.id, cardId: params.id });
  if (!loaded) throw notFound("card");
  const { state } = loaded;
  return { body: toOutput(params.id, state, services.config.baseUrl), version: state.stored.version };
}

async function change(services: Services, call: Call<{ id: string }, unknown, z.output<typeof designBody>>) {
  const { owner, params, body, version } = call;
  if (Object.keys(body).length === 0) throw invalid([{ pointer: "", message: "Send at least one field." }]);
  const result = await saveDesign(services, { ownerId: owner.id, id: params.id }, (stored, linkIds) => {
    checkVersion("pass", stored.version, version);
    return { values: applyChange(stored.values, body, linkIds) };
  });
  const toProblems = (fields: readonly string[], message: string) =>
    fields.map((field) => ({ pointer: `/${field}`, message }));
  switch (result.kind) {
    case "gone":
      throw notFound("card");
    case "unknown-image":
      throw invalid(toProblems(result.fields, messages.unknownImage));
    case "beyond-plan":
      throw beyondPlan(toProblems(result.fields, messages.premiumOnly));
    case "refused":
    case "saved":
      return read(services, call);
  }
}

function applyChange(
  stored: PassFormValues,
  body: z.output<typeof designBody>,
  linkIds: readonly string[],
): PassFormValues {
  return {
    background: body.background ?? stored.background,
    tint: body.tint ?? stored.tint,
    logo: body.logo ?? stored.logo,
    showsEmail: body.showsEmail ?? stored.showsEmail,
    showsPhone: body.showsPhone ?? stored.showsPhone,
    hasQrLabel: body.hasQrLabel ?? stored.hasQrLabel,
    linkOrder: orderLinks(linkIds, body.linkOrder ?? stored.linkOrder),
  };
}

export const passResource: Resource = {
  name: "passes",
  title: "Passes",
  description: "The pass of a card in a wallet. Phones that have it show its changes.",
  operations: [
    operation({
      id: "getPass",
      method: "GET",
      path: "/cards/{id}/pass",
      summary: "Get the design of a pass, and who has it",
      description: "The version is that of the design.",
      scope: "cards:read",
      isVersioned: true,
      isLive: true,
      response: { status: 200, schema: passOutput },
      run: read,
    }),
    operation({
      id: "updatePass",
      method: "PATCH",
      path: "/cards/{id}/pass",
      summary: "Change the design of a pass",
      description: "Fields that aren't sent stay as they are.",
      scope: "cards:write",
      isVersioned: true,
      problems: ["plan_limit", "version_conflict"],
      body: designBody,
      response: { status: 200, schema: passOutput },
      run: change,
    }),
  ],
};
