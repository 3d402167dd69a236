import { openOwner } from "#tests/journeys/leads/lead-owner.ts";
import { fieldValue, makeCard, shortPathOf } from "#tests/support/app/cards.ts";

export const leadFormSettings = {
  is_on: "on",
  version: "0",
  "field-name": "required",
  "field-email": "required",
  "field-phone": "optional",
  "field-company": "hidden",
  "field-note": "optional",
  "question-0-label": "How did we meet?",
  "question-0-kind": "choice",
  "question-0-options": "At the fair\r\nOnline",
  "question-0-required": "on",
  has_newsletter: "on",
  booking_url: "cal.com/ada",
  months: "12",
};

const { is_on: _, ...offSettings } = leadFormSettings;

/** A card with the form, and a visitor whose form is old enough to be sent. */
export async function openLeadForm(change: Record<string, string> = {}, options: Parameters<typeof openOwner>[0] = {}) {
  const owner = await openOwner({ now: Date.UTC(2026, 10, 23), ...options });
  const { ada, time } = owner;
  const card = await makeCard(ada);
  const path = await shortPathOf(owner.visitor(), card);
  const saveForm = (more: Record<string, string>) => ada.post(`/cards/${card}/leads`, { ...leadFormSettings, ...more });
  const saved = await saveForm(change);
  if (saved.status !== 302) throw new Error(`The form was not saved: ${await saved.text()}`);
  const grace = owner.visitor();
  const formOf = async (query = "") => {
    const page = await (await grace.get(`${path}/connect${query}`)).text();
    time.now += 5_000;
    return { page, formToken: fieldValue(page, "formToken"), answer: fieldValue(page, "consent-answer") };
  };
  const fill = async (query = "") => {
    const { formToken, answer } = await formOf(query);
    return {
      formToken,
      name: "Grace Hopper",
      email: "grace@example.com",
      phone: "",
      note: "Nice to meet you",
      "question-q1": "At the fair",
      "consent-answer": answer,
    };
  };
  const switchOff = () => ada.post(`/cards/${card}/leads`, { ...offSettings, version: "1" });
  const send = async (change: Record<string, string> = {}, query = "") =>
    grace.post(`${path}/connect${query}`, { ...(await fill(query)), ...change });
  /** A page as visitors see it. */
  const read = (page: string) => owner.read(page, owner.visitor());
  const leads = () => owner.services.db.selectFrom("lead").selectAll().execute();
  return { ...owner, grace, card, path, saveForm, switchOff, formOf, fill, send, read, leads };
}

/** A visitor who shared their contact, with both consents, and the link from their mail. */
export async function shareContact() {
  const opened = await openLeadForm();
  const { ada, formOf, send, mailsTo } = opened;
  await send({ "consent-newsletter": fieldValue((await formOf()).page, "consent-newsletter") });
  const [mail] = await mailsTo("grace@example.com");
  const link = /\/shared\/\S+/.exec(mail?.text ?? "")?.[0] ?? "";
  return { ...opened, link, ownerMails: () => mailsTo(ada.email) };
}
