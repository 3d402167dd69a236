import type { Site } from "./browser.ts";
import { mailedLink, makeCard, makePremium, saveProfile, signUp, spoilCard, unconfirm } from "./members.ts";

export type Cast = Awaited<ReturnType<typeof gatherCast>>;

/** 50 signs that offer no place to break, the most that a name may have. */
const longName = "Wolfeschlegelsteinhausenbergerdorffwelchevoralterns".slice(0, 50);
const longWord = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamter".slice(0, 60);

/**
 * The people whose screens are looked at: one whose profile is as full as it gets, one who writes from right to left, one who just came,
 * one on Premium, one whose address is not confirmed, one whose card can't be read any more.
 */
export async function gatherCast(site: Site) {
  const { program } = site;
  const context = await site.openForAll();
  const join = async (email: string, fill: () => Promise<string>) => {
    await context.clearCookies();
    const member = await signUp(context, program, email);
    return { ...member, card: await fill() };
  };
  const full = await join(`${"long".repeat(15)}@${"example".repeat(8)}.com`, () => fillUp(site, context));
  const rtl = await join("layla@example.com", () => writeFromTheRight(site, context));
  const fresh = await join("fresh@example.com", async () => "");
  const premium = await join("premium@example.com", async () => "");
  makePremium(program, premium.id);
  const unconfirmed = await join(`${"unconfirmed".repeat(5)}@example.com`, async () => "");
  unconfirm(program, unconfirmed.id);
  const unlucky = await join("unlucky@example.com", () => makeCard(context, program, {}));
  spoilCard(program, unlucky.card);
  await context.clearCookies();
  await context.request.post("/forgot-password", { form: { email: rtl.email }, headers: { origin: site.url } });
  const reset = await mailedLink(context, { url: site.url, to: rtl.email });
  await context.close();
  return { people: { full, rtl, fresh, premium, unconfirmed, unlucky }, resetPath: reset.slice(site.url.length) };
}

type Context = Awaited<ReturnType<Site["openForAll"]>>;

async function fillUp({ program }: Site, context: Context): Promise<string> {
  const links = Array.from({ length: 8 }, (_, index) => ({
    label: index % 2 ? `portfolio${index}${longWord}`.slice(0, 60) : `Band ${index}`,
    url: `https://${"sub".repeat(15)}.example.com/${"path".repeat(20)}/${index}`,
    isOff: index === 6,
  }));
  await saveProfile(context, program, { displayName: longName, bio: `${longWord} `.repeat(2).trim(), links });
  return makeCard(context, program, {
    card_name: longWord,
    email: `${"long".repeat(15)}@${"example".repeat(8)}.com`,
    phone: "+49 (0) 123 4567890123 ext. 1234567",
    profession: longWord,
    company: longWord,
    position: longWord,
    years_experience: "100",
    links: links.map(({ label, url }) => ({ name: label, url })),
  });
}

async function writeFromTheRight({ program }: Site, context: Context): Promise<string> {
  const links = [
    { label: "معرض أعمالي portfolio", url: "https://example.com/layla" },
    { label: "انستغرام", url: "https://www.instagram.com/layla" },
  ];
  const displayName = "ليلى الحسن";
  await saveProfile(context, program, { displayName, bio: "مصممة منتجات. أصنع أشياء صغيرة.", theme: "ocean", links });
  return makeCard(context, program, {
    card_name: "بطاقتي",
    email: "layla@example.com",
    phone: "+962 6 555 0100",
    profession: "مصممة",
    company: "استوديو المثال",
    links: links.map(({ label, url }) => ({ name: label, url })),
  });
}
