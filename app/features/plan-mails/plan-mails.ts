import type { Plan } from "#app/features/billing/rules.ts";
import { letterMail } from "#app/services/mail/letter.ts";
import type { MailContent } from "#app/services/mail/letter.ts";
import { formatOwnDate } from "#app/services/preferences/owner-time.ts";
import type { DateChoice } from "#app/services/preferences/owner-time.ts";
import { formatList } from "#app/services/base/format.ts";
import { oneLine } from "#app/services/base/plain-text.ts";
import type { Mail } from "#app/services/mail/mail.server.ts";

/** What Free keeps and pauses of what an owner has. */
export type FreeOutcome = {
  /** The oldest card, and whether its owner shows it to visitors; undefined without cards. */
  kept: { name: string; isShown: boolean } | undefined;
  /** The names of the other cards. */
  paused: readonly string[];
  /** The name of a profile theme that Free doesn't include. */
  theme: string | undefined;
  /** Whether the oldest card has a color that Free doesn't include. */
  hasPremiumColor: boolean;
};

/** Times are epoch milliseconds. */
export type PlanMail =
  | { kind: "welcome"; period: string; next: { at: number; isEnd: boolean }; cards: number }
  | { kind: "failed"; endsAt: number; outcome: FreeOutcome }
  | { kind: "ending"; endsAt: number; isGrant: boolean; outcome: FreeOutcome }
  /** `endedAt`: undefined when it ended before its time. */
  | { kind: "ended"; endedAt: number | undefined; wasUnpaid: boolean; outcome: FreeOutcome };

export type PlanMailOptions = {
  to: string;
  baseUrl: string;
  choice: DateChoice;
  /** Whether owners can buy a plan here. */
  isSold: boolean;
  plan: Plan;
};

/** Tells an owner about their plan. Receipts are Stripe's. */
export function planMail(mail: PlanMail, options: PlanMailOptions): Mail {
  return letterMail(contentOf(mail, options), options);
}

type MailOf<Kind extends PlanMail["kind"]> = Extract<PlanMail, { kind: Kind }>;

function contentOf(mail: PlanMail, options: PlanMailOptions): MailContent {
  switch (mail.kind) {
    case "welcome":
      return welcomeContent(mail, options);
    case "failed":
      return failedContent(mail, options);
    case "ending":
      return endingContent(mail, options);
    case "ended":
      return endedContent(mail, options);
  }
}

function welcomeContent(
  { period, next, cards }: MailOf<"welcome">,
  { baseUrl, choice, ...options }: PlanMailOptions,
): MailContent {
  const { name: plan, maxCards } = options.plan;
  const date = formatOwnDate(next.at, choice);
  return {
    subject: `Welcome to ${plan}`,
    heading: `Welcome to ${plan}`,
    paragraphs: [
      `Your account at ${hostOf(baseUrl)} has ${plan} now. Thank you!`,
      describeBenefits(options.plan),
      ...(cards > 1 && cards <= maxCards ? [`All ${cards} of your cards are included.`] : []),
      next.isEnd ? `${plan} ends on ${date}.` : `${plan} renews every ${period}, next on ${date}.`,
    ],
    action: { label: "Add a card", url: `${baseUrl}/cards/edit` },
    notes: [
      `Your invoices and the buttons to switch the period or cancel are in your account: ${baseUrl}/account`,
      "Stripe, which handles payments, sends the receipts.",
    ],
  };
}

function describeBenefits({ maxCards, themes, hasOwnAccents, canMoveLinks, hasBranding }: Plan): string {
  const benefits = [
    Number.isFinite(maxCards) ? `create up to ${maxCards} cards` : "create as many cards as you like",
    hasOwnAccents ? "use every theme and every card color" : `choose from ${themes.length} themes`,
    ...(canMoveLinks ? ["choose the tab of each link"] : []),
  ];
  const sentence = `You can ${benefits.slice(0, -1).join(", ")}, and ${benefits.at(-1)}.`;
  return hasBranding ? sentence : `${sentence} Your pages no longer show “Made with Meishi”.`;
}

function failedContent(
  { endsAt, outcome }: MailOf<"failed">,
  { baseUrl, choice, ...options }: PlanMailOptions,
): MailContent {
  const plan = options.plan.name;
  const date = formatOwnDate(endsAt, choice);
  return {
    subject: `Your payment for ${plan} failed`,
    heading: "Your payment failed",
    paragraphs: [
      `The payment for your ${plan} plan at ${hostOf(baseUrl)} didn’t go through. ${plan} continues until ${date}.`,
      "To keep it, update your payment card by then: open your account and choose “Manage subscription”.",
    ],
    action: { label: "Update your payment card", url: `${baseUrl}/account` },
    notes: [
      "Without a payment, your account goes back to Free. Nothing is deleted.",
      ...describeOutcome(outcome, "will"),
    ],
  };
}

function endingContent({ endsAt, isGrant, outcome }: MailOf<"ending">, options: PlanMailOptions): MailContent {
  const { baseUrl, choice } = options;
  const plan = options.plan.name;
  const date = formatOwnDate(endsAt, choice);
  return {
    subject: `Your ${plan} ends on ${date}`,
    heading: `Your ${plan} ends soon`,
    paragraphs: [
      isGrant
        ? `The operator of ${hostOf(baseUrl)} gave your account ${plan} until ${date}.`
        : `You canceled ${plan} at ${hostOf(baseUrl)}. It stays on until ${date}.`,
      "After that, your account is on Free. Nothing is deleted.",
      ...describeOutcome(outcome, "will"),
    ],
    action: isGrant ? buyAction(options) : { label: `Keep ${plan}`, url: `${baseUrl}/account` },
    notes: [endingNote(isGrant, options)],
  };
}

function endingNote(isGrant: boolean, { isSold, plan }: PlanMailOptions): string {
  if (!isGrant)
    return `To keep ${plan.name}, open your account, choose “Manage subscription” and renew the subscription.`;
  return isSold ? "You can subscribe as soon as it has ended." : "Only the operator can extend it.";
}

function endedContent({ endedAt, wasUnpaid, outcome }: MailOf<"ended">, options: PlanMailOptions): MailContent {
  const { baseUrl, choice } = options;
  const plan = options.plan.name;
  const when = endedAt === undefined ? "" : ` on ${formatOwnDate(endedAt, choice)}`;
  const why = wasUnpaid ? ", because the payment failed" : "";
  return {
    subject: `Your ${plan} has ended`,
    heading: `Your ${plan} has ended`,
    paragraphs: [
      `${plan} for your account at ${hostOf(baseUrl)} ended${when}${why}. Your account is on Free now, and nothing was deleted.`,
      ...describeOutcome(outcome, "is"),
    ],
    action: wasUnpaid ? { label: "Update your payment card", url: `${baseUrl}/account` } : buyAction(options),
    notes: [`Everything comes back as it was when you have ${plan} again.`],
  };
}

function buyAction({ baseUrl, isSold }: PlanMailOptions): NonNullable<MailContent["action"]> {
  return isSold
    ? { label: "See plans", url: `${baseUrl}/pricing` }
    : { label: "Contact us", url: `${baseUrl}/contact` };
}

/** What visitors see on Free, a sentence for each thing that changes. */
function describeOutcome({ kept, paused, theme, hasPremiumColor }: FreeOutcome, when: "is" | "will"): string[] {
  const sentences: string[] = [];
  if (kept) sentences.push(describeKept(kept, paused.length));
  if (paused.length > 0) sentences.push(describePaused(paused, when));
  if (theme !== undefined)
    sentences.push(
      `Visitors ${when === "is" ? "see" : "will see"} your profile in the Default theme. Your choice, ${theme}, is kept.`,
    );
  if (hasPremiumColor)
    sentences.push(
      `Your card ${when === "is" ? "has" : "will have"} the color of its theme. The color that you chose is kept.`,
    );
  return sentences;
}

function describeKept({ name, isShown }: NonNullable<FreeOutcome["kept"]>, others: number): string {
  const card = `“${oneLine(name)}”`;
  const which = others > 0 ? `${card}, your oldest card,` : `Your card ${card}`;
  return isShown ? `${which} stays public.` : `${which} stays as it is.`;
}

const maxNamed = 5;

function describePaused(names: readonly string[], when: "is" | "will"): string {
  const named = names.slice(0, maxNamed).map((name) => `“${oneLine(name)}”`);
  if (names.length > maxNamed) named.push(`${names.length - maxNamed} more`);
  const [count, verb] = names.length === 1 ? ["Your other card", "is"] : [`Your other ${names.length} cards`, "are"];
  const paused = when === "is" ? `${verb} paused` : "will be paused";
  return `${count} ${paused}: visitors can’t open ${names.length === 1 ? "it" : "them"}. Kept for you: ${formatList(named)}.`;
}

function hostOf(baseUrl: string): string {
  return new URL(baseUrl).host;
}

type GrantMail = Pick<PlanMailOptions, "to" | "baseUrl">;
type GrantedMail = GrantMail & { endsAt: number | null; choice: DateChoice };

/** The operator gave an owner Premium; `endsAt` in epoch milliseconds, null without an end. */
export function grantedMail({ endsAt, choice, ...mail }: GrantedMail): Mail {
  const host = new URL(mail.baseUrl).host;
  const until = endsAt === null ? "" : ` until ${formatOwnDate(endsAt, choice)}`;
  const letter = {
    subject: `You have Premium${until}`,
    heading: `You have Premium${until}`,
    paragraphs: [
      `The operator of ${host} gave your account Premium${until}. You don’t pay anything for it.`,
      "You can create more cards and use every theme and color, and your pages no longer show “Made with Meishi”.",
    ],
    action: { label: "Open your profile", url: `${mail.baseUrl}/profile` },
    notes: ["When Premium ends, nothing is deleted: your oldest card stays public, and the others are paused."],
  };
  return letterMail(letter, mail);
}

/** The operator took back what they gave, and the owner is on Free. */
export function revokedMail(mail: GrantMail): Mail {
  const host = new URL(mail.baseUrl).host;
  const letter = {
    subject: "Your Premium has ended",
    heading: "Your Premium has ended",
    paragraphs: [
      `The operator of ${host} ended the Premium plan that they gave your account.`,
      "Nothing was deleted. Your oldest card stays public, and the others are paused. They come back when you have Premium again, and so do a Premium theme and color.",
    ],
    action: { label: "Open your profile", url: `${mail.baseUrl}/profile` },
    notes: ["You don’t need to do anything."],
  };
  return letterMail(letter, mail);
}
