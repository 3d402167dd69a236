import { withScheme, isAllowedAddress } from "#app/features/links/rules.ts";
import {
  fieldModes,
  leadFieldNames,
  maxLengths,
  maxOptions,
  maxQuestions,
  retentionChoices,
} from "#app/features/leads/rules.ts";
import type { FieldMode, LeadFieldName } from "#app/features/leads/rules.ts";
import { defaultFormSettings } from "#app/features/leads/schema.ts";
import type { LeadFormSettings, Question } from "#app/features/leads/schema.ts";
import { fieldText } from "#app/services/base/form-fields.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { plainLine } from "#app/services/base/plain-text.ts";

/** The settings as typed. Each question has a row, empty ones included. */
export type SettingsValues = {
  isOn: boolean;
  fields: Record<LeadFieldName, FieldMode>;
  questions: { id: string; label: string; kind: string; options: string; isRequired: boolean }[];
  answerText: string;
  newsletterText: string;
  hasNewsletter: boolean;
  bookingUrl: string;
  months: number;
};

export type SettingsErrors = Partial<Record<string, string>>;

/** The rows of the form for its own questions. */
const questionRows = Array.from({ length: maxQuestions }, (_, row) => row);

export function toSettingsValues(settings: LeadFormSettings, isOn: boolean, months: number): SettingsValues {
  return {
    isOn,
    fields: settings.fields,
    questions: questionRows.map((row) => {
      const question = settings.questions[row];
      if (!question) return { id: `q${row + 1}`, label: "", kind: "text", options: "", isRequired: false };
      return { ...question, options: question.options.join("\n") };
    }),
    answerText: settings.consentTexts.answer,
    newsletterText: settings.consentTexts.newsletter,
    hasNewsletter: settings.hasNewsletter,
    bookingUrl: settings.bookingUrl,
    months,
  };
}

export function readSettingsForm(form: FormFields): SettingsValues {
  const fields = { ...defaultFormSettings.fields };
  for (const name of leadFieldNames)
    fields[name] = fieldModes.find((mode) => mode === fieldText(form, `field-${name}`)) ?? fields[name];
  return {
    isOn: form.has("is_on"),
    fields,
    questions: questionRows.map((row) => ({
      id: `q${row + 1}`,
      label: fieldText(form, `question-${row}-label`),
      kind: fieldText(form, `question-${row}-kind`) === "choice" ? "choice" : "text",
      options: fieldText(form, `question-${row}-options`),
      isRequired: form.has(`question-${row}-required`),
    })),
    answerText: fieldText(form, "answer_text"),
    newsletterText: fieldText(form, "newsletter_text"),
    hasNewsletter: form.has("has_newsletter"),
    bookingUrl: fieldText(form, "booking_url"),
    months: Number(fieldText(form, "months")),
  };
}

/** What to store, or the first error of each field. */
export function checkSettings(
  values: SettingsValues,
): { settings: LeadFormSettings; months: number } | { errors: SettingsErrors } {
  const errors: SettingsErrors = {};
  if (values.fields.email === "hidden" && values.fields.phone === "hidden")
    errors["field-email"] = "Ask for an email address or a phone number, so that you can reply.";
  if (values.hasNewsletter && values.fields.email === "hidden")
    errors["has_newsletter"] = "A newsletter needs the email field.";
  const questions = values.questions.flatMap((typed, row) => checkQuestion(typed, row, errors));
  const bookingUrl = withScheme(plainLine(values.bookingUrl));
  if (bookingUrl !== "" && !(/^https?:/.test(bookingUrl) && isAllowedAddress(bookingUrl)))
    errors["booking_url"] = "Enter a web address, such as cal.com/ada.";
  const texts = { answer_text: plainLine(values.answerText), newsletter_text: plainLine(values.newsletterText) };
  checkLength(errors, "booking_url", { text: bookingUrl, max: maxLengths.bookingUrl });
  for (const [name, text] of Object.entries(texts))
    checkLength(errors, name, { text: text, max: maxLengths.consentText });
  const months = retentionChoices.find((choice) => choice === values.months);
  if (months === undefined) errors["months"] = "Choose how long leads are stored.";
  if (months === undefined || Object.keys(errors).length > 0) return { errors };
  const { fields, hasNewsletter } = values;
  const consentTexts = { answer: texts.answer_text, newsletter: texts.newsletter_text };
  return { settings: { fields, questions, consentTexts, hasNewsletter, bookingUrl }, months };
}

function checkQuestion(typed: SettingsValues["questions"][number], row: number, errors: SettingsErrors): Question[] {
  const label = plainLine(typed.label);
  const kind = typed.kind === "choice" ? "choice" : "text";
  const options = [...new Set(typed.options.split(/\r?\n/).map(plainLine).filter(Boolean))];
  const hasOptions = kind === "choice" && options.length > 0;
  if (label === "") {
    if (hasOptions) errors[`question-${row}-label`] = "Enter the question.";
    return [];
  }
  checkLength(errors, `question-${row}-label`, { text: label, max: maxLengths.question });
  const field = `question-${row}-options`;
  if (kind === "choice" && (options.length < 2 || options.length > maxOptions))
    errors[field] = `Enter 2 to ${maxOptions} answers, each on its own line.`;
  for (const option of options)
    if (kind === "choice") checkLength(errors, field, { text: option, max: maxLengths.option });
  return [{ id: typed.id, label, kind, options: kind === "choice" ? options : [], isRequired: typed.isRequired }];
}

function checkLength(errors: SettingsErrors, name: string, { text, max }: { text: string; max: number }): void {
  if (text.length > max) errors[name] ??= `Use at most ${max} characters.`;
}
