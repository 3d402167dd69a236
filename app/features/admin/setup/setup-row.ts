/** A part of the installation. No row holds a secret. */
export type SetupRow = {
  name: string;
  state: "on" | "off" | "warning";
  /** What it is good for. */
  purpose: string;
  /** How it is configured now, or what is missing. */
  status: string;
  /** The settings of docs/settings.md. */
  settings: readonly string[];
};
