import type { Config } from "#app/services/config/config.server.ts";

/**
 * One kind of data that a feature stores about people. The privacy notice is made from these texts, and the retention task of each kind is
 * declared with them (`Feature.storedData`). The texts are Markdown, and make a sentence: "{what}: {why}. Stored {howLong}."
 */
export type StoredData = {
  /** Unique among all features: "leads". Names the retention task in the log. */
  name: string;
  /** The section of the notice: people who open a page, who share their contact, or who have an account. */
  about: "visitors" | "leads" | "owners";
  what: string;
  why: string;
  howLong: string;
  /** Whether this installation stores it. By default, every one does. */
  isStored?: (config: Config) => boolean;
};
