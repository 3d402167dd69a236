import { maxDevices, maxNameLength } from "./rules.ts";

/** What owners read about the devices that show their leads. */
export const deviceMessages = {
  nameRequired: "Enter a name for the device.",
  nameTooLong: `Use at most ${maxNameLength} characters.`,
  full: `You have ${maxDevices} devices, the most an account can have. Revoke one first.`,
  tooMany: (wait: string) => `Too many passwords. Try again ${wait}.`,
  gone: "This device has no password anymore.",
} as const;
