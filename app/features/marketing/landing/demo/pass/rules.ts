import { cleanLine, maxLengths } from "#app/features/cards/card-fields.ts";
import { qrPayload } from "#app/features/marketing/landing/demo/demo-card.ts";
import type { Accent, CardMode, DemoCard } from "#app/features/marketing/landing/demo/demo-card.ts";
import type { PassContent, PassIssuer } from "#app/features/wallet/pass-content.ts";
import { readableOn } from "#app/services/base/color-contrast.ts";
import type { HexColor } from "#app/services/base/color-contrast.ts";

export type DemoPassErrors = Partial<Record<"name" | "title" | "company" | "payload", string>>;

/**
 * Checks what a visitor typed for a pass. Anyone can make one with this site's certificate, so its code opens nothing but a profile or card
 * here, whose owner the operator can block. `payload` of the result is "" or such an address.
 */
export function checkDemoPass(
  card: DemoCard,
  baseUrl: string,
): { errors: DemoPassErrors } | { errors: undefined; card: DemoCard } {
  const [name, title, company] = [card.name, card.title, card.company].map(cleanLine);
  const payload = qrPayload(card.payload.slice(0, maxPayload + 1), baseUrl);
  const errors: DemoPassErrors = {
    ...(!/[\p{L}\p{N}\p{S}]/u.test(name ?? "") && { name: messages.noName }),
    ...(isLong(name, maxLengths.displayName) && { name: messages.tooLongName }),
    ...(isLong(title, maxLengths.profession) && { title: messages.tooLong }),
    ...(isLong(company, maxLengths.company) && { company: messages.tooLong }),
    ...(payload !== "" && !isOwnPage(payload, baseUrl) && { payload: messages.otherSite }),
  };
  if (Object.keys(errors).length > 0) return { errors };
  return {
    errors: undefined,
    card: { ...card, name: name ?? "", title: title ?? "", company: company ?? "", payload },
  };
}

/** Longer addresses aren't ours. */
const maxPayload = 300;

const isLong = (text = "", max: number) => text.length > max;

/** A profile, a card or the home page of this site. */
function isOwnPage(payload: string, baseUrl: string): boolean {
  if (payload.length > maxPayload || !URL.canParse(payload)) return false;
  const { origin, pathname, username, password } = new URL(payload);
  if (origin !== new URL(baseUrl).origin || username || password) return false;
  return pathname === "/" || /^\/(?:u|c|card)\/[^/]+(?:\/card)?$/.test(pathname);
}

/** What the pass shows: the demo's card in its colors, and that nobody checked it. */
export function demoPassContent(card: DemoCard, issuer: PassIssuer): Omit<PassContent, "cardId" | "isVoided"> {
  const { host } = new URL(issuer.url);
  const { background, text, accent } = passColors(card);
  return {
    cardUrl: card.payload || issuer.url,
    qr: codeOf(card.payload),
    heading: card.company,
    name: card.name,
    job: [card.title, card.company].filter(Boolean).join(" · "),
    email: "",
    phone: "",
    links: [],
    bio: `Made with the demo on ${host}. No one checked who made it or what it says. It expires within a day.`,
    issuer,
    hasBranding: true,
    colors: { background, text: readableOn(background, text), label: readableOn(background, accent) },
    images: { avatarKey: null, background: { kind: "card" }, tint: "", logo: { kind: "seal" } },
  };
}

/** The text under the code is of the address that it opens: what was typed may have line breaks, direction marks or a long query. */
function codeOf(payload: string): PassContent["qr"] {
  if (!payload) return { message: "", label: "" };
  const { href, host, pathname } = new URL(payload);
  return { message: href, label: pathname === "/" ? host : `${host}${pathname}` };
}

type Colors = { background: readonly [HexColor, HexColor]; text: HexColor; accent: HexColor };

function passColors({ accent, mode }: Pick<DemoCard, "accent" | "mode">): Colors {
  const { wash, ...accents } = accentColors[accent];
  return mode === "light"
    ? { background: ["#fbf9f4", "#f1ede3"], text: "#17181b", accent: accents.light }
    : { background: [wash, "#0e0f12"], text: "#f4f1ea", accent: accents.dark };
}

/** As in styles/demo.css. */
const accentColors: Record<Accent, Record<CardMode | "wash", HexColor>> = {
  indigo: { light: "#4338ca", dark: "#a5b4fc", wash: "#37339a" },
  blue: { light: "#1d4ed8", dark: "#7cc0ff", wash: "#0d447f" },
  violet: { light: "#7e22ce", dark: "#d8a7ff", wash: "#5f1f86" },
  emerald: { light: "#05694c", dark: "#6ee7b7", wash: "#0a523d" },
};

/** The texts of the page that a demo pass with bad input leads to. */
export const messages = {
  title: "Demo pass",
  invalid: "Your pass isn’t ready yet. Correct what is marked and try again.",
  tooMany: (when: string) => `There were too many demo passes from your network. Try again ${when}.`,
  busy: "Too many passes are being made right now. Try again in a moment.",
  noName: "Enter a name.",
  tooLong: `Use at most ${maxLengths.company} characters.`,
  tooLongName: `Use at most ${maxLengths.displayName} characters.`,
  otherSite:
    "The code of a demo pass can only open a profile or card on this site. Enter a path such as /u/your-handle, or leave this empty.",
} as const;
