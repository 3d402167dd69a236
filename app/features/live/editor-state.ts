/** The record that an editor shows, and what the editor can do when it is saved elsewhere. */
export type EditedRecord = {
  record: "card" | "profile" | "pass";
  /** The card of the record; undefined for the profile. */
  cardId?: string;
  /** The version that the editor shows. */
  version: number;
  isSaving: boolean;
  /** Loads what is stored, and merges it with what is typed. */
  onReload: () => void;
  /** Called after an event when there is no newer version. */
  onOtherChange?: () => void;
};
