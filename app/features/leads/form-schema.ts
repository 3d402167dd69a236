import { offersNewsletter } from "./consent-text.ts";
import { leadMessages as messages } from "#app/features/leads/messages.ts";
import { leadFieldNames, maxLengths, shownMode } from "#app/features/leads/rules.ts";
import type { ConsentPurpose, LeadFieldName } from "#app/features/leads/rules.ts";
import type { Answer, LeadDetails, LeadFormSettings, Question } from "#app/features/leads/schema.ts";
import { isEmail, toAsciiDomain } from "#app/services/base/email-address.ts";
import { fieldText } from "#app/services/base/form-fields.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { paragraph, plainLine } from "#app/services/base/plain-text.ts";

/** What a visitor typed, by the name of the field. */
export type TypedLead = Record<string, string>;

export type LeadErrors = Record<string, string>;

export type ReadLead = {
  typed: TypedLead;
  errors: LeadErrors;
  details: LeadDetails;
  consents: { purpose: ConsentPurpose; hash: string }[];
};

export function questionField({ id }: Pick<Question, "id">): string {
  return `question-${id}`;
}

export function consentField(purpose: ConsentPurpose): string {
  return `consent-${purpose}`;
}

/** Reads and checks a visitor's form. `texts` are the consents that it asks for. */
export function readLeadForm(
  form: FormFields,
  settings: LeadFormSettings,
  texts: readonly { purpose: ConsentPurpose }[],
): ReadLead {
  const typed: TypedLead = {};
  const errors: LeadErrors = {};
  const details = { name: "", email: "", phone: "", company: "", note: "" };
  for (const name of leadFieldNames) {
    const mode = shownMode(settings.fields, name);
    if (mode === "hidden") continue;
    typed[name] = fieldText(form, name);
    const { value, error } = readDetail(name, typed[name], mode === "required");
    details[name] = value;
    if (error) errors[name] = error;
  }
  const answers = settings.questions.flatMap((question) => readAnswer(form, question, { typed, errors }));
  const consents = texts.flatMap(({ purpose }) => {
    const hash = fieldText(form, consentField(purpose));
    typed[consentField(purpose)] = hash;
    return hash ? [{ purpose, hash }] : [];
  });
  if (!consents.some(({ purpose }) => purpose === "answer")) errors[consentField("answer")] = messages.consentRequired;
  const wantsNews = offersNewsletter(settings) && consents.some(({ purpose }) => purpose === "newsletter");
  if (wantsNews && !details.email) errors["email"] ??= messages.emailForNews;
  if (!hasContact(details) && !errors["email"] && !errors["phone"]) errors["email"] = messages.noContact;
  return { typed, errors, details: { ...details, answers }, consents };
}

/** What was typed into a field, normalized, and what is wrong with it. */
export function readDetail(name: LeadFieldName, text: string, isRequired: boolean): { value: string; error?: string } {
  const value = cleanField(name, text);
  const error = findProblem(name, value, isRequired);
  return { value, ...(error && { error }) };
}

function cleanField(name: LeadFieldName, text: string): string {
  // Longer than any valid value: refused below, before it is cleaned.
  if (text.length > maxTypedLength) return text;
  if (name === "email") return toAsciiDomain(plainLine(text));
  return name === "note" ? paragraph(text) : plainLine(text);
}

const maxTypedLength = 50_000;

function findProblem(name: LeadFieldName, value: string, isRequired: boolean): string | undefined {
  if (value === "") return isRequired ? messages.required[name] : undefined;
  if (value.length > maxLengths[name]) return messages.tooLong(maxLengths[name]);
  if (name === "email" && !isEmail(value)) return messages.invalidEmail;
  return name === "phone" && !/\p{Nd}/u.test(value) ? messages.invalidPhone : undefined;
}

function readAnswer(
  form: FormFields,
  question: Question,
  { typed, errors }: Pick<ReadLead, "typed" | "errors">,
): Answer[] {
  const field = questionField(question);
  const text = fieldText(form, field);
  typed[field] = text;
  if (text.length > maxTypedLength) {
    errors[field] = messages.tooLong(maxLengths.answer);
    return [];
  }
  const answer = plainLine(text);
  if (answer === "") {
    if (question.isRequired) errors[field] = messages.answerRequired;
    return [];
  }
  if (answer.length > maxLengths.answer) errors[field] = messages.tooLong(maxLengths.answer);
  if (question.kind === "choice" && !question.options.includes(answer)) errors[field] = messages.answerRequired;
  return [{ question: question.label, answer }];
}

/** Without a name and a way to answer, the details would be of no use. */
function hasContact({ email, phone }: Pick<LeadDetails, "email" | "phone">): boolean {
  return email !== "" || phone !== "";
}
