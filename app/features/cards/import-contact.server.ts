import { textOfFile } from "#app/features/links/import-text.ts";

import { contactText, wantedProperties } from "./import-contact-text.ts";
import type { ContactAnswer } from "./import-answer.ts";
import { isContactFile, splitContactFile } from "./import-lines.ts";
import { readProperties } from "./import-property.ts";
import { importWords } from "./import-words.ts";

/**
 * What a contact file (vCard 2.1, 3.0 or 4.0) says, as a card's form would have it; of a file with many contacts the first ones. Or
 * why it can't be used, as a sentence. Takes time that grows with the size of the file and no faster.
 */
export function readContactFile(bytes: Uint8Array): ContactAnswer {
  const file = textOfFile(bytes);
  if ("problem" in file) return file;
  if (!isContactFile(file.text)) return { problem: importWords.noContactFile };
  const { cards, total } = splitContactFile(file.text, maxContacts);
  const whole = cards.filter(({ isWhole }) => isWhole);
  if (whole.length === 0) return { problem: importWords.cutOff };
  const contacts = whole.flatMap((card) => {
    const { properties, others } = readProperties(card, wantedProperties);
    return contactText(properties, others) ?? [];
  });
  return contacts.length === 0
    ? { problem: importWords.nothing }
    : { contacts, total: Math.max(total, contacts.length) };
}

/** As many as somebody may look through for their own. */
const maxContacts = 20;
